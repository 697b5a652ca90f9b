import { execFile } from 'node:child_process'
import { copyFile, link, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseAs, Type } from '@vid/protocol'
import { withinServed } from '@vid/system'
import { fail } from '../errors.ts'
import type { PackageFile } from './package-files.ts'

/** What a function says of itself. */
const CheckedSchema = Type.Object({ formats: Type.Array(Type.String()) })

const MAX_CHARACTERS = 2000
/** Served time: a config that takes longer to load would use up the function's start time. */
const CHECK_MS = 60_000

// Exits explicitly, because timers or handles of a config could keep the process alive.
const SCRIPT = `const { check } = await import('./index.mjs')
console.log(JSON.stringify(await check()))
process.exit()`

/** Places the files of a function in an empty folder, sharing their data with the originals. */
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

/** Starts a staged function in a separate process, where it checks itself by loading its config. */
export const checkPackage = (
  folder: string,
  tempDir: string,
  signal: AbortSignal,
): Promise<{ readonly formats: readonly string[] }> => {
  const check = (either: AbortSignal) =>
    new Promise<{ readonly formats: readonly string[] }>((resolve, reject) => {
      const env = { PATH: process.env.PATH ?? '', TMPDIR: tempDir, HOME: tempDir, VID_BUCKET: 'check' }
      const options = { cwd: folder, env, signal: either }
      execFile(process.execPath, ['--input-type=module', '-e', SCRIPT], options, (cause, stdout, stderr) => {
        if (signal.aborted) return reject(signal.reason)
        const checked = parseAs(CheckedSchema, stdout.trim().split('\n').at(-1) ?? '')
        if (!cause && checked) return resolve(checked)
        const message = either.aborted
          ? `it was not ready after ${CHECK_MS / 1000} s`
          : (cause?.message ?? 'it ended without saying which formats it encodes')
        const reason = (stderr.trim() || message).slice(0, MAX_CHARACTERS)
        reject(fail('VID_LAMBDA_PACKAGE_BROKEN', { reason }, { cause }))
      })
    })
  return withinServed(CHECK_MS, check, { signal })
}
