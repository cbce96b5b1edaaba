"""How well what is written can be read: WCAG's contrast of a text with what lies behind it."""

from __future__ import annotations

from typing import Any

READABLE = 4.5
CONTRASTS = """elements => {
  const paper = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const parts = colour => {
    paper.clearRect(0, 0, 1, 1);
    paper.fillStyle = colour;
    paper.fillRect(0, 0, 1, 1);
    return [...paper.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, at) => (part * a + below[at] * (255 - a)) / 255);
  const linear = part => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.05 + 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const around = element => (element ? [...around(element.parentElement), element] : []);
  return elements.filter(one => one.getClientRects().length).map(one => {
    const styles = around(one).map(part => getComputedStyle(part));
    const drawn = one instanceof SVGElement;
    const grounds = styles.map(style => style.backgroundColor);
    if (drawn) grounds.push(getComputedStyle(one.parentElement.querySelector('rect, circle')).fill);
    const ground = grounds.reduce((below, colour) => over(parts(colour), below), [255, 255, 255]);
    const [r, g, b, a] = parts(drawn ? styles.at(-1).fill : styles.at(-1).color);
    const solid = styles.reduce((all, style) => all * style.opacity, 1);
    const pair = [light(over([r, g, b, a * solid], ground)), light(ground)];
    return [one.textContent, Math.max(...pair) / Math.min(...pair)];
  });
}"""


def faint(page: Any, selector: str) -> list[list[Any]]:
    """The texts that can't be read well, with their contrasts; there must be texts."""
    found = page.locator(selector).evaluate_all(CONTRASTS)
    assert found, f"nothing is shown of {selector}"
    return [[text, round(contrast, 2)] for text, contrast in found if contrast < READABLE]
