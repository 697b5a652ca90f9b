import { nameOf } from '../../document/element-name.ts'
import { natives, type Realm } from '../../realm/natives.ts'
import { paints } from '../raster-stage.ts'
import { lackingContent } from './content.ts'

/** Styles of the html and body elements that the picture would lack, since it shows only their content. */
const UNSUPPORTED: readonly [reason: string, is: (style: CSSStyleDeclaration) => boolean][] = [
  [
    'a transform',
    ({ transform, rotate, scale, translate }) => `${transform}${rotate}${scale}${translate}` !== 'none'.repeat(4),
  ],
  ['opacity', ({ opacity }) => opacity !== '1'],
  ['a filter', ({ filter }) => filter !== 'none'],
  ['a clip path', ({ clipPath }) => clipPath !== 'none'],
  ['a mask', ({ maskImage }) => maskImage !== 'none'],
  ['a blend mode', ({ mixBlendMode }) => mixBlendMode !== 'normal'],
  ['a border', ({ borderWidth }) => !/^[0px ]*$/.test(borderWidth)],
  ['an outline', ({ outlineStyle }) => outlineStyle !== 'none'],
  ['a shadow', ({ boxShadow }) => boxShadow !== 'none'],
  ['zoom', (style) => style.getPropertyValue('zoom') !== '1'],
  ['a painted background', ({ backgroundImage }) => /paint\(/.test(backgroundImage)],
  ['a fixed background', ({ backgroundAttachment }) => /fixed/.test(backgroundAttachment)],
  ['a blended background', ({ backgroundBlendMode }) => !/^(normal(, )?)*$/.test(backgroundBlendMode)],
]

/** The reason why the styles of the html and body elements prevent capturing the page as an element. */
export const bodyStyleReason = (realm: Realm): string | undefined => {
  const { documentElement, body } = realm.document
  for (const element of [documentElement, body]) {
    const style = natives.getComputedStyle(element)
    const rule = UNSUPPORTED.find(([, is]) => is(style))
    if (rule) return `${rule[0]} on ${nameOf(element)}`
    const lacking = lackingContent(element)
    if (lacking) return `${nameOf(element)}${lacking}`
    if (element !== body && style.perspective !== 'none') return `perspective on ${nameOf(element)}`
  }
  return undefined
}

/** The reason why the boxes of the html and body elements prevent it, in a page of a size. */
export const boxReason = (
  { document }: Realm,
  page: { readonly width: number; readonly height: number },
  html: CSSStyleDeclaration,
  body: CSSStyleDeclaration,
): string | undefined => {
  const source = paints(html) ? html : body
  const { left, top, width, height } = document.documentElement.getBoundingClientRect()
  const isWhole = left === 0 && top === 0 && width === page.width && height === page.height
  if (source.backgroundImage !== 'none' && !isWhole) return 'a background image on a page of another size'
  const box = document.body.getBoundingClientRect()
  if (box.left !== 0 || box.top !== 0 || box.width !== page.width) return 'a body that is not at the left top'
  return undefined
}
