import { chmodSync, constants, cpSync, existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Places that the user's desktop sets for a program; without them it takes those below HOME. */
const BELOW_HOME = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'VID_CACHE_DIR']

/** Belongs to the process: this file runs before each test file. */
const processState = globalThis as typeof globalThis & { vidOwnFolders?: true }

/** Makes the home folder and the folder for temporary files of the test processes that run in the same place in turn. */
const makeFolders = (
  place: string,
  browser: string | undefined,
): { readonly HOME: string; readonly TMPDIR: string } => {
  const [home, temporary] = [join(place, 'home'), join(place, 'tmp')]
  const folders = { HOME: home, TMPDIR: temporary }
  if (existsSync(place)) return folders
  mkdirSync(temporary, { recursive: true })
  chmodSync(temporary, 0o1777)
  const caches = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
  mkdirSync(join(home, caches, 'vid'), { recursive: true, mode: 0o700 })
  if (browser) cpSync(browser, join(home, caches, 'vid'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return folders
}

/**
 * Gives each test process folders of its own: what a user's home folder, caches or temporary files hold decides no test,
 * nor does a test beside it. npm alone keeps its settings and its cache, which it reads by digest.
 */
if (!processState.vidOwnFolders) {
  processState.vidOwnFolders = true
  const { VID_TESTS_FOLDER, VID_TESTS_BROWSER, VITEST_POOL_ID = '0' } = process.env
  if (VID_TESTS_FOLDER === undefined) throw new Error('scripts/dev/run-folder.ts has not run before the tests')
  process.env.npm_config_cache ??= join(homedir(), '.npm')
  process.env.npm_config_userconfig ??= join(homedir(), '.npmrc')
  Object.assign(process.env, makeFolders(join(VID_TESTS_FOLDER, VITEST_POOL_ID), VID_TESTS_BROWSER))
  for (const name of BELOW_HOME) delete process.env[name]
}
