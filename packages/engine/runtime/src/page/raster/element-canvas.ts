/** A canvas of the page that lays out and paints its content, for its scripts to draw. */
export const ELEMENT_CANVAS = 'canvas[layoutsubtree]'

/**
 * For a page that is captured as an element: the renderer of Chromium 153 crashes when such a canvas is painted inside
 * that element with opacity 0. The page is then captured in another way.
 */
export const WITHOUT_ELEMENT_CANVASES = `${ELEMENT_CANVAS}{display:none!important}`
