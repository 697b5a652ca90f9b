import { randomUUID } from 'node:crypto'
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Static, schemaProblems, Type } from '@vid/kernel'
import { cacheFolders, claimFolder, type Env } from './embedded.ts'

const MemorySchema = Type.Array(Type.Object({ key: Type.String(), answer: Type.String({ minLength: 1 }) }))
type Memory = Static<typeof MemorySchema>

/** Answers kept at most, the latest first. */
const MOST = 16

/** The dynamic linker's index, written anew when libraries are installed. */
const LINKER_INDEX = '/etc/ld.so.cache'

const isElf = async (program: string): Promise<boolean> => {
  await using file = await open(program)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
  return bytesRead === 4 && buffer.toString('latin1') === '\x7fELF'
}

/** What an answer depends on; undefined where a change might not show, as in a script that starts another program. */
const keyOf = async (program: string, question: string, env: Env): Promise<string | undefined> => {
  const path = await realpath(program)
  if (!/^ff(mpeg|probe)/.test(basename(path)) || !(await isElf(path))) return undefined
  const files = await Promise.all([path, LINKER_INDEX].map((each) => stat(each)))
  const facts = files.map(({ size, mtimeMs, ino }) => [size, mtimeMs, ino])
  return JSON.stringify([question, path, facts, env.LD_LIBRARY_PATH, env.LD_PRELOAD])
}

const readMemory = async (file: string): Promise<Memory> => {
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    return schemaProblems(MemorySchema, found).length === 0 ? (found as Memory) : []
  } catch {
    return []
  }
}

const keep = async (folder: string, file: string, entry: Memory[number]) => {
  await claimFolder(folder)
  const others = (await readMemory(file)).filter(({ key }) => key !== entry.key)
  const partial = `${file}.${randomUUID()}`
  try {
    await writeFile(partial, JSON.stringify([entry, ...others].slice(0, MOST)), { mode: 0o600 })
    await rename(partial, file)
  } finally {
    await rm(partial, { force: true })
  }
}

/** One write after another, so that none undoes the one before. */
let writing: Promise<void> = Promise.resolve()

/**
 * What a program answers to a question about itself, remembered in the user's cache while program and libraries stay
 * as they are: asking costs each start a quarter of a second.
 */
export const recall = async (
  program: string,
  question: string,
  ask: () => Promise<string>,
  env: Env = process.env,
): Promise<string> => {
  const key = await keyOf(program, question, env).catch(() => undefined)
  const [folder] = cacheFolders(env, 'builds')
  if (key === undefined || folder === undefined) return ask()
  const file = join(folder, 'builds.json')
  const known = (await readMemory(file)).find((each) => each.key === key)
  if (known) return known.answer
  const answer = await ask()
  // A cache that cannot be written only costs time.
  writing = writing.then(() => keep(folder, file, { key, answer })).catch(() => {})
  await writing
  return answer
}
