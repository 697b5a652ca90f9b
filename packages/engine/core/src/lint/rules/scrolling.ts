import type { Declaration } from 'postcss'
import { spotInScript } from '../element.ts'
import { example } from '../example.ts'
import type { LintRule } from '../rule.ts'
import { declarationsIn, inSheet, isPageSelector, selectorAbove } from './styles.ts'

const REMARKS = {
  document: (subject: string) =>
    `${subject} expects the document to scroll, which is as large as the picture in a composition: nothing moves.`,
  smooth: (subject: string) => `${subject} does not scroll smoothly in a composition: it jumps to the end.`,
} as const

/** What a declaration expects of scrolling. */
const kindOf = (declaration: Declaration): keyof typeof REMARKS | undefined => {
  const { prop, value } = declaration
  const name = prop.toLowerCase()
  // Of the document it is a custom, and changes nothing while nothing scrolls that.
  if (name === 'scroll-behavior' && /^smooth\b/i.test(value))
    return isPageSelector(selectorAbove(declaration) ?? '') ? undefined : 'smooth'
  return /^animation(?:-timeline)?$/.test(name) && /\bscroll\([^()]*\broot\b/i.test(value) ? 'document' : undefined
}

const BOX = '<div id="box"><p>Hello</p></div>'

/** Rules about scrolling. */
export const scrollingRules: readonly LintRule[] = [
  {
    name: 'scrolling',
    severity: 'warning',
    what: 'A document that scrolls, or an element that scrolls smoothly.',
    why: 'A composition is as large as the picture and does not scroll, so `window.scrollTo`, ScrollTrigger and scroll timelines of the document have no effect. A smooth scroll jumps to its end.',
    hint: 'Set scrollTop of an element with overflow: hidden in each frame, or move its content with a transform.',
    bad: example({ body: `${BOX}\n<script>\n  setTimeout(() => window.scrollTo(0, 500), 1000)\n</script>` }),
    good: example({
      head: '<style>\n  #box { height: 180px; overflow: hidden }\n  p { margin: 0; height: 900px }\n</style>',
      body: `${BOX}\n<script>\n  addEventListener('vid-seek', ({ detail }) => {\n    document.querySelector('#box').scrollTop = detail.time * 100\n  })\n</script>`,
    }),
    *check({ files }) {
      for (const { scripts, sheets } of files) {
        for (const script of scripts)
          for (const { kind, call, line } of script.facts.scrolls) yield spotInScript(script, line, REMARKS[kind](call))
        for (const sheet of sheets)
          for (const declaration of declarationsIn(sheet.sheet)) {
            const kind = kindOf(declaration)
            const text = `${declaration.prop}: ${declaration.value}`
            if (kind) yield inSheet(sheet, declaration, REMARKS[kind](text))
          }
      }
    },
  },
]
