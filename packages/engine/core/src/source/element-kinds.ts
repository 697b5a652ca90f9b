import { attributeOf, type Element } from './tree.ts'

/** Elements that a browser never draws, with what is inside them. */
const UNDRAWN = /^(base|col|datalist|head|link|meta|noscript|param|script|source|style|template|title|track)$/

/** Elements that a browser draws as one picture, whatever is inside them. */
const REPLACED = /^(audio|canvas|embed|iframe|img|input|object|picture|textarea|video)$/

/** Whether a browser may draw an element. */
export const isDrawn = ({ tagName }: Element): boolean => !UNDRAWN.test(tagName)

/** Whether what is inside an element is drawn as its content. */
export const holdsClips = (element: Element): boolean => isDrawn(element) && !REPLACED.test(element.tagName)

/** Whether an element is `<html>` or `<body>`. */
export const isPage = ({ tagName }: Element): boolean => tagName === 'html' || tagName === 'body'

/** Whether an element names a composition. */
export const namesComposition = (element: Element): boolean => attributeOf(element, 'data-composition-id') !== null

/** Whether an element embeds a file. */
export const embedsFile = (element: Element): boolean => attributeOf(element, 'data-composition-src') !== null
