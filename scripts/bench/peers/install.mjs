import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { measureRun } from '../measured-run.mjs'

/** Installs exact versions of packages into a folder of the user's cache, unless they are there, and returns the folder. */
export const installPeer = async (name, dependencies, signal) => {
  const folder = join(await openCacheDir(process.env), 'peers', name)
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2)
  // Named by what is installed: an installation that was broken off has no such file.
  const versions = Object.values(dependencies).join('-')
  const finished = join(folder, `installed-${versions}`)
  if (existsSync(finished)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  await measureRun('npm', ['install', '--prefix', folder, '--ignore-scripts', ...quiet], { signal })
  writeFileSync(finished, '')
  return folder
}
