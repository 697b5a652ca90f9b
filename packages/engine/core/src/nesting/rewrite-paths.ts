import { posix } from 'node:path'
import { fileOfReference, type HasFile, splitReference } from '../source/project-references.ts'
import type { Element } from '../source/tree.ts'

/** Rewrites a reference of one file so that it has the same target in the entry file. */
export type Rewrite = (url: string) => string

/** Creates the rewrite for references in `from`; URLs, absolute paths and fragments stay unchanged. */
export const rewriteFrom =
  (has: HasFile, from: string, entry: string): Rewrite =>
  (url) => {
    const reference = splitReference(url)
    if (reference === null) return url
    const file = fileOfReference(has, from, reference.path)
    return posix.relative(posix.dirname(entry), file) + reference.rest
  }

const URL_CALL = /url\(\s*(?:"([^"]*)"|'([^']*)'|((?:[^'"()\s\\]|\\.)+))\s*\)/gi

/** Rewrites every `url(…)` in a CSS value. */
export const rewriteCssUrls = (css: string, rewrite: Rewrite): string =>
  css.replace(URL_CALL, (_call, double?: string, single?: string, bare?: string) => {
    const url = rewrite(double ?? single ?? bare ?? '')
    return single === undefined ? `url("${url.replaceAll('"', '%22')}")` : `url('${url}')`
  })

const rewriteSrcset = (srcset: string, rewrite: Rewrite): string =>
  srcset.replace(
    /(^|,)(\s*)([^\s,](?:\S*[^\s,])?)/g,
    (_all, comma: string, space: string, url: string) => comma + space + rewrite(url),
  )

const REFERENCES = new Set(['src', 'href', 'poster'])

/** Rewrites the references in an element's attributes. */
export const rewriteAttributes = (element: Element, rewrite: Rewrite): void => {
  for (const attribute of element.attrs) {
    const { name } = attribute
    if (REFERENCES.has(name) || (name === 'data' && element.tagName === 'object'))
      attribute.value = rewrite(attribute.value)
    else if (name === 'srcset') attribute.value = rewriteSrcset(attribute.value, rewrite)
    else if (name === 'style') attribute.value = rewriteCssUrls(attribute.value, rewrite)
  }
}
