// What Markdown pages refer to: files of links, and paths of the repository that are named in code spans.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FOLDERS = ['packages', 'plugins', 'presets', 'scripts', 'e2e', 'bench', 'docs', 'examples']
const LINK = /\]\((?<target>[^)#\s]+)(?:#[^)]*)?\)/g
const NAMED = new RegExp(`\`(?<target>(?:${FOLDERS.join('|')})/[\\w./-]+)\``, 'g')

const withoutBlocks = (page) => page.replace(/^ *(```+)[^\n]*\n[\s\S]*?^ *\1$/gm, '')

const targets = (text, pattern) => Array.from(text.matchAll(pattern), ({ groups }) => groups.target)

/** Targets of a page that do not exist; `file` is its path from the repository's `root`. */
export const missingReferences = (page, { file, root }) => {
  const text = withoutBlocks(page)
  const links = targets(text, LINK).filter((target) => !/^[a-z]+:/.test(target))
  return [
    ...links.filter((target) => !existsSync(join(root, dirname(file), decodeURIComponent(target)))),
    ...targets(text, NAMED).filter((target) => !existsSync(join(root, target))),
  ]
}
