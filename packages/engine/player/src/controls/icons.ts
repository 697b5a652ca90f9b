/** Shapes in a square of 24. */
const PATHS = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  sound: 'M4 9v6h4l5 5V4L8 9zM16 8a5 5 0 0 1 0 8z',
  muted: 'M4 9v6h4l5 5V4L8 9zM16 9l1-1 2 2 2-2 1 1-2 2 2 2-1 1-2-2-2 2-1-1 2-2z',
  captions: 'M3 5h18v14H3zM6 10v4h4v-1.5H8v-1h2V10zM13 10v4h4v-1.5h-2v-1h2V10z',
  full: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
} as const

/** The name of a picture on a button. */
export type ButtonIconName = keyof typeof PATHS

const SVG = 'http://www.w3.org/2000/svg'

/** A picture for a button, which has its name elsewhere. */
export const icon = (name: ButtonIconName): SVGElement => {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}
