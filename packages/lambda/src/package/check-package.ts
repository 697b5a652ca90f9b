import { execFile } from 'node:child_process'
import { copyFile, link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fail } from '../errors.ts'
import type { PackageFile } from './package-files.ts'

const MAX_CHARACTERS = 2000
/** A config that loads for longer would use up the start of the function. */
const CHECK_MS = 60_000

// What a config has left running would keep the process alive.
const SCRIPT = `const { check } = await import('./index.mjs')
console.log(JSON.stringify(await check()))
process.exit()`

/** Puts the files of a function into an empty folder; they share their bytes with what they come from. */
export const stageFiles = async (files: readonly PackageFile[], folder: string): Promise<void> => {
  const folders = new Set<string>()
  for (const { path, from, isExecutable } of files) {
    const to = join(folder, path)
    if (!folders.has(dirname(to))) await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    folders.add(dirname(to))
    if (typeof from === 'string') await link(from, to).catch(() => copyFile(from, to))
    else await writeFile(to, from.content, { mode: isExecutable ? 0o755 : 0o644 })
  }
}

/** Starts a staged function in a separate process and lets it check itself: it loads its config there. */
export const checkPackage = (
  folder: string,
  tempDir: string,
  signal: AbortSignal,
): Promise<{ readonly formats: readonly string[] }> =>
  new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', TMPDIR: tempDir, HOME: tempDir, VID_BUCKET: 'check' }
    const options = { cwd: folder, env, signal, timeout: CHECK_MS }
    execFile(process.execPath, ['--input-type=module', '-e', SCRIPT], options, (cause, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason)
      if (!cause) return resolve(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as never)
      const message = cause.killed ? `it was not ready after ${CHECK_MS / 1000} s` : cause.message
      const reason = (stderr.trim() || message).slice(0, MAX_CHARACTERS)
      reject(fail('VID_LAMBDA_PACKAGE_BROKEN', { reason }, { cause }))
    })
  })
