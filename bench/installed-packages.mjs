import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCacheDir } from '@vid/assets'
import { measureRun } from './measure/measured-run.mjs'

/**
 * Installs exact versions of packages, without their install scripts, into a folder of the user's cache unless they are
 * there, and returns that folder.
 */
export const installPackages = async (name, dependencies, signal) => {
  const folder = join(await openCacheDir(process.env), name)
  const manifest = JSON.stringify({ private: true, dependencies }, null, 2)
  // Named by what is installed: an installation that was broken off has no such file.
  const finished = join(folder, `installed-${createHash('sha256').update(manifest).digest('hex').slice(0, 16)}`)
  if (existsSync(finished)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  await measureRun('npm', ['install', '--prefix', folder, '--ignore-scripts', ...quiet], { signal })
  writeFileSync(finished, '')
  return folder
}
