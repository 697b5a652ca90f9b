// The works of others that a package carries, each with its version, licence, source and texts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../workspaces.mjs'
import { bundledLibraries } from './bundled.mjs'
import { COPYRIGHTS, FONT_PACKAGE, INSIDE, NOTED_TEXTS, NOTES, PROGRAMS } from './components.mjs'

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[._-].*)?$/i

const readText = (file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
const standardText = (file) => readText(path(`scripts/notices/texts/${file}`)).trim()

/** A licence's text without the lines that say whose it is, which differ where the licence is the same. */
const splitText = (text) => {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const isOwner = (line) => /^\s*(?:copyright\s+(?:\(c\)|©|\d{4})|\(c\)\s+\d{4}|©\s)/i.test(line)
  return {
    copyright: lines.filter(isOwner).map((line) => line.trim()),
    text: lines
      .filter((line) => !isOwner(line))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  }
}

const sourceOf = ({ name, repository, homepage }) => {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? homepage
  if (!url) return `https://www.npmjs.com/package/${name}`
  const address = url
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
  return /^[\w.-]+\/[\w.-]+$/.test(address) ? `https://github.com/${address}` : address
}

/** Texts of a package's licence, from its files; the standard text where it has none. */
const textsOf = (folder, { name, license }) => {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map((entry) => entry.name)
    .sort()
  if (files.length > 0) return files.map((file) => splitText(readText(join(folder, file))))
  const standard = `${license}.txt`
  if (!COPYRIGHTS[name] || !existsSync(path(`scripts/notices/texts/${standard}`))) return []
  return [{ copyright: COPYRIGHTS[name], text: standardText(standard) }]
}

/** An installed package as a work, given its folder relative to the repository; `texts` is empty where it has none. */
export const libraryWork = (folder) => {
  const manifest = JSON.parse(readFileSync(path(`${folder}/package.json`), 'utf8'))
  const { name, version, license } = manifest
  const noted = (NOTED_TEXTS[name] ?? []).map((file) => splitText(standardText(file)))
  const texts = [...textsOf(path(folder), manifest), ...noted]
  return { name, version, license, source: sourceOf(manifest), texts, note: NOTES[name] }
}

const programWork = ({ library, field = 'version', expected, text, copyright = [], ...facts }) => {
  const installed = library && path(`node_modules/${library}/package.json`)
  // Other systems install other builds; what ships is the one for Linux on x64.
  if (installed && existsSync(installed)) {
    const value = JSON.parse(readFileSync(installed, 'utf8'))[field]
    if (value !== expected)
      throw new Error(`${library} has ${value}, not ${expected}: correct scripts/notices/components.mjs`)
  }
  const standard = splitText(standardText(text))
  return {
    ...facts,
    texts: [{ text: standard.text, copyright: copyright.length > 0 ? copyright : standard.copyright }],
  }
}

const byName = (one, other) => (one.name < other.name ? -1 : 1)

/** Folders of bundled libraries with those inside their files. */
const withInside = (folders) => {
  const names = folders.map((folder) => folder.replace(/^.*node_modules\//, ''))
  const inside = names.flatMap((name) => INSIDE[name] ?? []).map((name) => `node_modules/${name}`)
  return [...new Set([...folders, ...inside])]
}

/** A library whose code is in our files, and whose texts therefore have to be. */
const carriedWork = (folder) => {
  const work = libraryWork(folder)
  if (work.texts.length > 0) return work
  throw new Error(
    `${work.name} (${work.license}) has no licence file: name its copyright in scripts/notices/components.mjs`,
  )
}

/** What the package in `folder` carries: libraries in its files, programs, and the fonts that it installs. */
export const worksOf = ({ folder, manifest }) => ({
  libraries: withInside(bundledLibraries(folder)).map(carriedWork).sort(byName),
  programs: (PROGRAMS[folder] ?? []).map(programWork),
  fonts: Object.keys(manifest.dependencies ?? {})
    .filter((name) => FONT_PACKAGE.test(name))
    .map((name) => libraryWork(`node_modules/${name}`))
    .sort(byName),
})
