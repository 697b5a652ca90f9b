// What pages of the documentation say to type.
import { readFileSync } from 'node:fs'
import { pageWriter } from '../../../scripts/origin/pages.mjs'
import { path, workspaces } from '../../../scripts/workspaces.mjs'

const write = pageWriter(workspaces())

/** The text of a page; `origin` `registry` is what it will say once vid is published. */
const textOf = (page, origin) => {
  const text = readFileSync(path(page), 'utf8')
  return origin === 'registry' ? write(text, page, true) : text
}

const blocks = (page, language, origin) =>
  [...textOf(page, origin).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, kind, text]) =>
    kind === language ? [text] : [],
  )

/** Lines of the shell blocks of a page, in order. */
export const linesOf = (page, origin) =>
  blocks(page, 'sh', origin).flatMap((text) => text.split('\n').filter((line) => line !== ''))

/** The first block of a page in a language. */
export const exampleOf = (page, language) => blocks(page, language)[0]

/** Lines with the folder in which each runs, as a shell goes through them from a first folder. */
export const placed = (lines, folder) => {
  let current = folder
  return lines.flatMap((line) => {
    const [, into, , rest = ''] = /^cd (\S+)( && (.*))?$/.exec(line) ?? []
    if (into === undefined) return [{ folder: current, line }]
    current = `${current}/${into}`
    return rest === '' ? [] : [{ folder: current, line: rest }]
  })
}
