// Markdown that the repository's scripts write.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { path } from './workspaces.mjs'

/** A table whose columns are aligned, from rows of texts; the first is its head. */
export const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)].join('\n')
}

/**
 * Makes a folder hold these pages, by their names, and no other; with --check it only compares, and names what differs from
 * its source with the lab that writes it.
 */
export const writePages = (folder, pages, { source, lab }) => {
  mkdirSync(path(folder), { recursive: true })
  const existing = new Map(
    readdirSync(path(folder)).map((name) => [name, readFileSync(path(`${folder}/${name}`), 'utf8')]),
  )
  const stale = [...new Set([...pages.keys(), ...existing.keys()])].filter(
    (name) => pages.get(name) !== existing.get(name),
  )
  if (process.argv.includes('--check')) {
    if (stale.length === 0) return
    console.error(`${folder} is out of step with ${source} (${stale.join(', ')}): run npm run lab -- ${lab}`)
    process.exitCode = 1
    return
  }
  for (const name of stale) {
    const text = pages.get(name)
    if (text === undefined) rmSync(path(`${folder}/${name}`))
    else writeFileSync(path(`${folder}/${name}`), text)
  }
}
