import { rewriteAttributes, rewriteCssUrls } from '../../nesting/rewrite-paths.ts'
import { attributeOf, type Element } from '../../source/tree.ts'
import { spotAt } from '../element.ts'
import type { Spot } from '../rule.ts'
import type { LintProject } from './project.ts'

/** A reference to something that the page loads. */
export interface LintReference {
  readonly url: string
  /** The file that its path is relative to. */
  readonly from: string
  /** Location of the reference; the message is empty. */
  readonly spot: Spot
}

const LOADED_LINKS = /\b(stylesheet|preload|modulepreload)\b/i
/** Elements whose `href` the page does not load. */
const NOT_LOADED = new Set(['a', 'area', 'base'])

const isLoaded = (element: Element): boolean => {
  if (element.tagName === 'link') return LOADED_LINKS.test(attributeOf(element, 'rel') ?? '')
  return !NOT_LOADED.has(element.tagName)
}

/** Whether a reference is a path: empty texts and templates of scripts are not. */
const isPath = (url: string) => url.trim() !== '' && !/\$\{|\{\{/.test(url)

const urlsOf = (element: Element): string[] => {
  const urls: string[] = []
  rewriteAttributes(element, (url) => {
    urls.push(url)
    return url
  })
  return urls.filter(isPath)
}

/** Every reference of a project that its pages load, in attributes and in style sheets. */
export function* referencesOf({ files }: LintProject): Generator<LintReference> {
  for (const { file, elements, sheets } of files) {
    for (const element of elements)
      if (isLoaded(element))
        for (const url of urlsOf(element)) yield { url, from: file, spot: spotAt(file, element, '') }
    for (const { sheet, file: from, line } of sheets) {
      const references: LintReference[] = []
      const read = (text: string, lineInSheet: number, selector: string | null) =>
        rewriteCssUrls(text, (url) => {
          if (isPath(url))
            references.push({
              url,
              from,
              spot: { file: from, line: line + lineInSheet - 1, selector, message: '' },
            })
          return url
        })
      sheet.walkDecls((declaration) => {
        const { parent } = declaration
        const selector = parent && 'selector' in parent ? String(parent.selector) : null
        read(declaration.value, declaration.source?.start?.line ?? 1, selector)
      })
      yield* references
    }
  }
}
