// What the makers of packed libraries ask for: their licences travel with their code.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../workspaces.mjs'

const FILE = 'third-party-licenses.txt'
const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

/** Folders of the libraries that files come from; files are relative to the repository. */
const librariesOf = (files) =>
  [...new Set(files.map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort()

const textOf = (folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => LICENSE.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0 && !license) throw new Error(`${name} says nothing of its licence`)
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

/** Writes the licences of the libraries among `files` into the folder `dist`. */
export const writeLicenses = (dist, files) => {
  const target = join(dist, FILE)
  const libraries = librariesOf(files)
    .map((folder) => path(folder))
    .filter(existsSync)
  if (libraries.length === 0) rmSync(target, { force: true })
  else writeFileSync(target, `${libraries.map(textOf).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}
