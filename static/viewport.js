// A frame through which the picture is seen: zoom by buttons, wheel or two fingers, fit, and pan by dragging, which isn't clicking.

import { frameOf } from './places.js';

const EDGE = 4; // pixels that stay free around the picture
const STILL = 5; // pixels that a click may tremble
const LEAST = 0.66; // the scale at which words can just be read
const READABLE = 0.85; // the scale of a picture that doesn't fit at that

/** `told(scale)` hears of every change; `clicked(target)` of clicks that weren't drags. */
export function viewport(frame, told, clicked) {
  let content = null, left = 0, top = 0, width = 1, height = 1;
  let view = { x: 0, y: 0, k: 1 };
  let fitted = 'read'; // how: to be read, "whole" where the visitor wants all of it, or not at all
  let start = null, seen = null; // where the picture begins, and what was last brought into the frame
  let w = 0, h = 0; // the frame's size as it was measured last: to ask while others write would lay out the page
  const measure = () => { [w, h] = [frame.clientWidth, frame.clientHeight]; };

  function show(smooth = false) {
    if (!content) return;
    content.classList.toggle('gliding', smooth);
    content.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    told(view.k);
  }

  /** A view without an empty margin: a side of the picture that fits stands in the middle, a longer one ends at the frame's edge. */
  function settled({ x, y, k }) {
    const along = (at, size, room) => (size + 2 * EDGE <= room ? (room - size) / 2 : Math.min(EDGE, Math.max(room - EDGE - size, at)));
    return { k, x: along(x, width * k, w), y: along(y, height * k, h) };
  }

  function settle(smooth) {
    view = settled(view);
    show(smooth);
  }

  /** Show another picture; the view is kept if it can be. It is put into the frame at its scale, so that its text is laid out once. */
  function hold(picture, keep) {
    ({ svg: content, left, top, width, height } = picture);
    [start, seen] = [picture.boxes.values().next().value, null];
    const across = (frame.clientWidth - 2 * EDGE) / width;
    frame.parentElement.style.setProperty('--fit', `${Math.round(height * (across < LEAST ? READABLE : Math.min(1.15, across)) + 24)}px`);
    measure();
    if (keep && fitted === 'whole') fit();
    else if (keep && (!fitted || Math.min(across, (h - 2 * EDGE) / height) < LEAST)) settle();
    else fit('read');
    frame.replaceChildren(content);
  }

  /** All of it, or, where it must be read, its beginning. */
  function fit(how = 'whole') {
    if (!w || !h) return;
    const whole = Math.min(1.15, (w - 2 * EDGE) / width, (h - 2 * EDGE) / height);
    const k = how === 'read' && whole < LEAST ? READABLE : Math.max(0.05, whole);
    view = { k, x: EDGE, y: (h - height * k) / 2 };
    fitted = how;
    settle();
    if (k > whole) bring(start);
  }

  function zoom(factor, x = w / 2, y = h / 2) {
    const k = Math.min(4, Math.max(0.05, view.k * factor));
    view = { k, x: x - (x - view.x) * (k / view.k), y: y - (y - view.y) * (k / view.k) };
    fitted = null;
    settle();
  }

  /** Show an element; to be `read`, it is seen from nearer than all of a large picture is. */
  function reveal(element, smooth = true, read = false) {
    seen = element;
    if (read && fitted === 'whole' && view.k < LEAST) {
      view = { k: READABLE, x: w, y: h }; // outside, from where it is brought in
      fitted = 'read';
    }
    bring(element, smooth);
  }

  /** Bring an element into the frame if it lies outside; where it is, its attributes tell. */
  function bring(element, smooth = false) {
    if (!content || !w) return;
    const one = frameOf(element);
    const x = (one.x + one.width / 2 - left) * view.k + view.x;
    const y = (one.y + one.height / 2 - top) * view.k + view.y;
    const [aside, above] = [24 + (one.width * view.k) / 2, 24 + (one.height * view.k) / 2];
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
    measure();
    if (!content) return;
    if (fitted) fit(fitted);
    else settle();
    if (seen?.isConnected) reveal(seen, false);
  }).observe(frame);

  return { hold, fit, zoom, reveal };
}
