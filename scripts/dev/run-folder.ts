import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '@vid/browser'
import { makeScratchFolder, removeAbandoned } from '@vid/system'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const ARCHIVES = join(repository, 'packages/engine/chromium-linux-x64/dist/archives')
const STORE = join(repository, 'node_modules/.cache/vid-tests')
const PREFIX = 'vid-tests-'

/** Names a build of the embedded browser; the product checks what is unpacked by its bytes. */
const buildName = async (): Promise<string | undefined> => {
  const names = await readdir(ARCHIVES).catch(() => [])
  if (names.length === 0) return undefined
  const sizes = await Promise.all(names.sort().map(async (name) => (await stat(join(ARCHIVES, name))).size))
  return sizes.join('-')
}

/**
 * The unpacked browser of this checkout, which no test uses itself: unpacking takes seconds, copying a tenth of one.
 * Undefined where none is embedded.
 */
const unpackedBrowser = async (): Promise<string | undefined> => {
  const name = await buildName()
  if (name === undefined) return undefined
  const folder = join(STORE, name)
  const isThere = (await readdir(folder).catch(() => [])).some((entry) => entry.startsWith('browser-'))
  if (isThere) return folder
  await rm(STORE, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await findBrowser({ cacheDir: folder, env: { PATH: '' } })
  return folder
}

/** Runs once before the tests: makes the folder that holds the folders of each test process, and ends with it. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  // Each project of a configuration asks.
  if (process.env.VID_TESTS_FOLDER !== undefined) return undefined
  await removeAbandoned(tmpdir(), PREFIX)
  const folder = await makeScratchFolder(tmpdir(), PREFIX)
  // Some tests run programs as another user.
  await chmod(folder, 0o755)
  const browser = await unpackedBrowser()
  Object.assign(process.env, { VID_TESTS_FOLDER: folder, ...(browser && { VID_TESTS_BROWSER: browser }) })
  return () => rm(folder, { recursive: true, force: true })
}
