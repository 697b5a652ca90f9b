// A tree of TypeScript files as the structure rules see it: names, texts, and which file imports which.
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { dirname, normalize } from 'node:path/posix'

/** Whether a file is a test or only serves tests; a suite is a test that others run. */
export const isTest = (file) => /(?:\.test|-suite)\.ts$|(?:^|\/)(?:fixtures|testing)\//.test(file)

/** Comments are blanked: an example in one imports nothing. Line numbers stay. */
const withoutComments = (text) =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))

/** Names of modules that a file imports or passes on, also for their types alone, in order. */
export const importsOf = (text) =>
  [
    ...withoutComments(text).matchAll(
      /^\s*(?:import|export)\b[^'"`;=]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
    ),
  ].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic)

/** The TypeScript files below `folder`: text by path, with `/` between names, sorted. */
export const readTree = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true })
      .map((name) => name.split(sep).join('/'))
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules/'))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

/** The files of a tree that each of its files imports by a relative path. */
export const linksOf = (tree) =>
  new Map(
    [...tree].map(([file, text]) => {
      const names = importsOf(text).filter((name) => name.startsWith('.'))
      const paths = names.map((name) => normalize(`${dirname(file)}/${name}`))
      return [file, [...new Set(paths)].filter((path) => tree.has(path))]
    }),
  )
