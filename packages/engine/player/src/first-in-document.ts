import { PREPARED_MARK } from './prepared-mark.ts'

/** Comments and the document type, which must stay in front: without the latter a page is laid out in quirks mode. */
const BEFORE_ELEMENTS = /^\uFEFF?(?:\s|<!--(?!-?>)[\s\S]*?--!?>|<!doctype[^>]*>)*/i

/** The document with a script before all its elements; a script of one line moves no line of it to another number. `after` follows it. */
export const insertFirst = (html: string, script: string, after = ''): string => {
  const [before = ''] = BEFORE_ELEMENTS.exec(html) ?? []
  // One that stays would be counted by the page's scripts, and by selectors such as :first-child.
  const element = `${PREPARED_MARK}${script}document.currentScript.remove()</script>`
  return before + element + after + html.slice(before.length)
}
