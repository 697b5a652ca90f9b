// Pages that say how to install packages of vid, as they read from a clone and as they read from npm's registry.
import { posix } from 'node:path'
import { TEXTS } from './texts.mjs'

const MARKED = /<!-- origin: ([\w-]+) -->(\n?)[\s\S]*?<!-- \/origin -->/g
const INSTALL = /\bnpm (?:i|install)\b[^`\n]*/g
const NAME = /@vid\/[a-z0-9-]+/g
const FOLDER = /\.\.\/vid\/((?:packages\/[a-z]+|plugins|presets)\/[a-z0-9-]+)/g
const START = 'docs/start.md'

/** A text of a marked place; the path to the start page is that from the page. */
const textOf = (name, isPublished, page) => {
  if (!Object.hasOwn(TEXTS, name))
    throw new Error(`${page} marks a place "${name}", which scripts/origin/texts.mjs has not`)
  const { clone, registry } = TEXTS[name]
  return (isPublished ? registry : clone).replaceAll('START', posix.relative(posix.dirname(page), START))
}

/** Makes pages say how packages are installed; `packages` are the workspaces of the repository. */
export const pageWriter = (packages) => {
  const folders = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]))
  const names = new Map(packages.map(({ folder, manifest }) => [folder, manifest.name]))
  const toFolder = (name) => (folders.has(name) ? `../vid/${folders.get(name)}` : name)
  const toName = (path, folder) => names.get(folder) ?? path
  return (text, page, isPublished) =>
    text
      .replaceAll(INSTALL, (line) => (isPublished ? line.replaceAll(FOLDER, toName) : line.replaceAll(NAME, toFolder)))
      .replaceAll(MARKED, (_, name, end) => {
        const said = textOf(name, isPublished, page)
        return `<!-- origin: ${name} -->${end}${said}${said === '' ? '' : end}<!-- /origin -->`
      })
}

/** What keeps a page from being right: sentences. */
export const pageProblems = (text, isPublished) => {
  const place = isPublished ? /\.\.\/vid\// : /npx @vid\/cli/
  const wrong = place.exec(text)?.[0]
  const unexplained = !isPublished && text.includes('../vid/') && !text.includes('a clone of this repository')
  return [
    ...(wrong ? [`it says "${wrong}", which is right ${isPublished ? 'from a clone' : 'from a registry'} only`] : []),
    ...(unexplained
      ? ['it names ../vid without saying that this is a clone: mark a place <!-- origin: beside -->']
      : []),
  ]
}
