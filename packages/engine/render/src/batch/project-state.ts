import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What shows, without reading a file, that it has changed; empty for one that is gone. */
const stateOf = async (path: string): Promise<string> => {
  const facts = await stat(path).catch(() => undefined)
  return facts ? `${facts.size} ${facts.mtimeMs} ${facts.ctimeMs} ${facts.ino}` : ''
}

const entriesOf = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => [])

/** The installed packages of a folder, each by its package.json: their other files do not change by themselves. */
const packageStates = async (modules: string): Promise<string[]> => {
  const names = (await readdir(modules).catch(() => [])).filter((name) => !name.startsWith('.'))
  const scoped = names.filter((name) => name.startsWith('@'))
  const inScopes = await Promise.all(
    scoped.map(async (scope) =>
      (await readdir(join(modules, scope)).catch(() => [])).map((name) => `${scope}/${name}`),
    ),
  )
  const all = [...names.filter((name) => !name.startsWith('@')), ...inScopes.flat()]
  return Promise.all(all.map(async (name) => `${name} ${await stateOf(join(modules, name, 'package.json'))}`))
}

const foldersAbove = (folder: string): string[] => {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

/**
 * A digest of the state of everything in a project that a page can be given, without what the batch itself writes: it
 * changes with every change, and may change where nothing a page shows has.
 */
export const projectState = async (projectDir: string, written: ReadonlySet<string>): Promise<string> => {
  const root = await realpath(projectDir)
  const states: string[] = []
  const seen = new Set<string>()
  const visit = async (folder: string, name: string): Promise<void> => {
    const real = await realpath(folder).catch(() => undefined)
    // A link may lead back to a folder above it.
    if (real === undefined || seen.has(real)) return
    seen.add(real)
    await Promise.all(
      (await entriesOf(folder)).map(async (entry) => {
        const path = join(folder, entry.name)
        const label = `${name}/${entry.name}`
        // What is hidden is served to no page.
        if (entry.name.startsWith('.') || written.has(path)) return
        if (entry.name === 'node_modules') {
          for (const state of await packageStates(path)) states.push(`${label}/${state}`)
          return
        }
        const isFolder = entry.isSymbolicLink()
          ? ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)
          : entry.isDirectory()
        // A link shows what it leads to, which may be a folder that is visited by another name.
        if (isFolder && entry.isSymbolicLink()) states.push(`${label} -> ${await realpath(path).catch(() => '')}`)
        if (isFolder) return visit(path, label)
        states.push(`${label} ${await stateOf(path)}`)
      }),
    )
  }
  await visit(root, '')
  // Libraries may come from packages that are installed above the project.
  for (const folder of foldersAbove(root))
    for (const state of await packageStates(join(folder, 'node_modules'))) states.push(`${folder} ${state}`)
  const hash = createHash('sha256')
  for (const state of states.sort()) hash.update(`${state}\0`)
  return hash.digest('hex')
}
