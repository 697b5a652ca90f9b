// The entries of the corpus: what bench/check-corpus/README.md describes, read into data.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../../../scripts/workspaces.mjs'

const CORPUS = path('bench/check-corpus')
const TEXT = /\.(?:html|css|js|json|svg|vtt)$/
const MARK = /\[\[((?:(?!\[\[|\]\]|\|)[\s\S])*)\|((?:(?!\[\[|\]\])[\s\S])*)\]\]/g
const HEAD = /^<!--\n([\s\S]*?)\n-->\n/

/** A text as one of both sides has it. */
export const sideOf = (text, side) => text.replace(MARK, side === 'wrong' ? '$1' : '$2')

/** The lines `key: value` at the beginning of a page. */
const readHead = (page, name) => {
  const [, lines] = HEAD.exec(page) ?? []
  if (lines === undefined) throw new Error(`${name} has no head: see bench/check-corpus/README.md.`)
  return Object.fromEntries(lines.split('\n').map((line) => [line.split(':', 1)[0], line.replace(/^[^:]*:\s*/, '')]))
}

/** One entry from its pages; `name` is GROUP/NAME. */
export const entryOf = (name, files) => {
  const { rule, element, wrong, says, flags = '' } = readHead(files['index.html'], name)
  const [from, to] = (wrong ?? '').split(' to ').map(Number)
  if (!rule || !element || !says || !(from < to))
    throw new Error(`The head of ${name} lacks a line, or its interval is none.`)
  const pages = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, text.replace(HEAD, '')]))
  const [group] = name.split('/')
  return {
    name,
    group,
    rule,
    elements: element === 'none' ? [] : element.split(', '),
    from,
    to,
    says,
    flags: flags.split(' ').filter(Boolean),
    files: pages,
  }
}

const textsIn = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((file) => TEXT.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
  )

/** Entries that stand as files or folders of the corpus, by group and name. */
const writtenEntries = () =>
  readdirSync(CORPUS, { withFileTypes: true })
    .filter((group) => group.isDirectory())
    .flatMap(({ name: group }) =>
      readdirSync(join(CORPUS, group)).map((name) => {
        const place = join(CORPUS, group, name)
        const files = statSync(place).isDirectory() ? textsIn(place) : { 'index.html': readFileSync(place, 'utf8') }
        return entryOf(`${group}/${name.replace(/\.html$/, '')}`, files)
      }),
    )

/** All entries, those of `generated.mjs` too. */
export const readEntries = async () => {
  const { generatedEntries } = await import(join(CORPUS, 'generated.mjs'))
  const pages = Object.entries(generatedEntries()).map(([name, page]) => entryOf(name, { 'index.html': page }))
  const entries = [...writtenEntries(), ...pages].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, files } of entries)
    if (!Object.values(files).some((text) => sideOf(text, 'wrong') !== sideOf(text, 'right')))
      throw new Error(`${name} has no mark [[wrong|right]].`)
  return entries
}
