// A frame through which the picture is seen: zoom by buttons, wheel or two fingers, fit, and pan by dragging, which isn't clicking.

const EDGE = 4; // pixels that stay free around the picture
const STILL = 5; // pixels that a click may tremble
const LEAST = 0.66; // the scale at which words can just be read
const READABLE = 0.85; // the scale of a picture that doesn't fit at that

/** `told(scale)` hears of every change; `clicked(target)` of clicks that weren't drags. */
export function viewport(frame, told, clicked) {
  let content = null, width = 1, height = 1;
  let view = { x: 0, y: 0, k: 1 };
  let fitted = 'read'; // how: to be read, "whole" where the visitor wants all of it, or not at all
  let start = null, seen = null; // where the picture begins, and what was last brought into the frame

  function show(smooth = false) {
    if (!content) return;
    content.classList.toggle('gliding', smooth);
    content.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    told(view.k);
  }

  /** A view without an empty margin: a side of the picture that fits stands in the middle, a longer one ends at the frame's edge. */
  function settled({ x, y, k }) {
    const along = (at, size, room) => (size + 2 * EDGE <= room ? (room - size) / 2 : Math.min(EDGE, Math.max(room - EDGE - size, at)));
    return { k, x: along(x, width * k, frame.clientWidth), y: along(y, height * k, frame.clientHeight) };
  }

  function settle(smooth) {
    view = settled(view);
    show(smooth);
  }

  /** Show another picture, which begins at `first`; the view is kept if it can be. */
  function hold(element, w, h, first, keep) {
    [content, width, height, start, seen] = [element, w, h, first, null];
    const fits = [(frame.clientWidth - 2 * EDGE) / w, (frame.clientHeight - 2 * EDGE) / h];
    frame.parentElement.style.setProperty('--fit', `${Math.round(h * (fits[0] < LEAST ? READABLE : Math.min(1.15, fits[0])) + 24)}px`);
    if (keep && fitted === 'whole') fit();
    else if (keep && (!fitted || Math.min(...fits) < LEAST)) settle();
    else fit('read');
  }

  /** All of it, or, where it must be read, its beginning. */
  function fit(how = 'whole') {
    const { clientWidth: w, clientHeight: h } = frame;
    if (!w || !h) return;
    const whole = Math.min(1.15, (w - 2 * EDGE) / width, (h - 2 * EDGE) / height);
    const k = how === 'read' && whole < LEAST ? READABLE : Math.max(0.05, whole);
    view = { k, x: EDGE, y: (h - height * k) / 2 };
    fitted = how;
    settle();
    if (k > whole) bring(start);
  }

  function zoom(factor, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
    const k = Math.min(4, Math.max(0.05, view.k * factor));
    view = { k, x: x - (x - view.x) * (k / view.k), y: y - (y - view.y) * (k / view.k) };
    fitted = null;
    settle();
  }

  /** Show an element; to be `read`, it is seen from nearer than all of a large picture is. */
  function reveal(element, smooth = true, read = false) {
    seen = element;
    if (read && fitted === 'whole' && view.k < LEAST) {
      view = { k: READABLE, x: frame.clientWidth, y: frame.clientHeight }; // outside, from where it is brought in
      fitted = 'read';
    }
    bring(element, smooth);
  }

  /** Bring an element into the frame if it lies outside. Reckoned in the picture's units, since it may still glide. */
  function bring(element, smooth = false) {
    if (!content) return;
    const { clientWidth: w, clientHeight: h } = frame;
    const whole = content.getBoundingClientRect();
    const one = element.getBoundingClientRect();
    if (!w || !whole.width) return;
    const unit = width / whole.width;
    const x = ((one.left + one.right) / 2 - whole.left) * unit * view.k + view.x;
    const y = ((one.top + one.bottom) / 2 - whole.top) * unit * view.k + view.y;
    const [aside, above] = [24 + (one.width * unit * view.k) / 2, 24 + (one.height * unit * view.k) / 2];
    const far = { x: x < aside || x > w - aside, y: y < above || y > h - above };
    if (!far.x && !far.y) return;
    view = { k: view.k, x: far.x ? view.x + w * 0.4 - x : view.x, y: far.y ? view.y + h / 2 - y : view.y };
    settle(smooth);
  }

  const fingers = new Map();
  /** Two fingers zoom about the middle between them. */
  function pinch(moved) {
    const apart = () => {
      const [one, other] = [...fingers.values()];
      return { distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
        x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
    };
    const before = apart();
    fingers.set(moved.pointerId, moved);
    const { distance, x, y } = apart();
    const box = frame.getBoundingClientRect();
    if (before.distance > 0) zoom(distance / before.distance, x - box.left, y - box.top);
  }

  let grip = null;
  frame.addEventListener('pointerdown', event => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event);
    if (event.button === 0) grip = { id: event.pointerId, x: event.clientX, y: event.clientY, from: { ...view }, moved: false };
  });
  frame.addEventListener('pointermove', event => {
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      if (grip) grip.moved = true;
      return pinch(event);
    }
    if (!grip || event.pointerId !== grip.id) return;
    const [dx, dy] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.hypot(dx, dy) < STILL) return;
    if (!grip.moved) frame.setPointerCapture(grip.id);
    grip.moved = true;
    frame.classList.add('dragging');
    view = { ...view, x: grip.from.x + dx, y: grip.from.y + dy };
    fitted = null;
    show();
  });
  const release = ({ pointerId }) => {
    fingers.delete(pointerId);
    frame.classList.remove('dragging');
    setTimeout(() => { grip = null; });
  };
  frame.addEventListener('pointerup', release);
  frame.addEventListener('pointercancel', release);
  frame.addEventListener('click', event => { if (!grip?.moved) clicked(event.target); });
  frame.addEventListener('wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = frame.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  new ResizeObserver(() => {
    if (!content) return;
    if (fitted) fit(fitted);
    else settle();
    if (seen?.isConnected) reveal(seen, false);
  }).observe(frame);

  return { hold, fit, zoom, reveal };
}
