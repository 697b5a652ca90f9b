import { createSheet } from '../document/sheet.ts'

/**
 * Lets the browser place everything anew in its next picture. Chromium keeps the rounding of an element's place while only
 * its transform changes, so that the picture of a frame would depend on the frames shown before. A blend mode of the
 * root, while something asks what is drawn at a point, ends that; it is never part of a transition.
 */
export const createFreshPaint = () => {
  const sheet = createSheet(window, ':root{mix-blend-mode:multiply!important}')
  sheet.detach()
  return (): void => {
    sheet.attach()
    elementFromPoint.call(document, 0, 0)
    sheet.detach()
  }
}

const { elementFromPoint } = Document.prototype
