import { chmod, copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { everyFfmpeg, scratch } from '../fixtures/sliding-bar.ts'
import { findFfmpeg, readMedia, runProcess, startProcess } from '../index.ts'
import { ERRORS_ONLY, runForOutput } from '../tools/process.ts'
import { confinementMode, confineProgram, missingConfinement } from './confinement.ts'
import { findLaunchers, launchOf, type Reach } from './launcher.ts'
import { systemCallFilter } from './system-calls.ts'

const builds = await everyFfmpeg()
const [{ ffmpeg }] = builds as [(typeof builds)[0]]
const launchers = process.platform === 'linux' ? findLaunchers(systemCallFilter()) : []
const hasNamespaces =
  process.platform === 'linux' &&
  (await missingConfinement(ffmpeg, { ...process.env, VID_SANDBOX: 'auto' })) === undefined

const TONE = ['-f', 'lavfi', '-i', 'sine=440:d=0.2']
const makeTone = async (file: string) => {
  await runProcess(ffmpeg, ['-v', 'error', ...TONE, '-y', file], undefined)
  return file
}

/** Ids of processes whose command line has a word. */
const processesWith = async (word: string): Promise<string[]> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return ids.filter((_, index) => lines[index]?.includes(word))
}

const isFilter = (words: readonly string[], index: number): boolean =>
  words[index] === '--seccomp' || words[index - 1] === '--seccomp'

let folder: string
let source: string
beforeEach(async () => {
  folder = await scratch()
  source = await makeTone(join(folder, 'source.wav'))
})

describe.runIf(hasNamespaces).each(launchers)('in a sandbox of $name, ffmpeg', (launcher) => {
  const run = async (args: readonly string[], reach: Omit<Reach, 'program'> = { reads: source }) =>
    runProcess(ffmpeg, ['-v', 'error', ...args], undefined, {
      launch: await launchOf(launcher, { program: ffmpeg, ...reach }),
    })

  test('reads its one file, whatever build it is', async () => {
    for (const { ffmpeg: program } of builds) {
      const launch = await launchOf(launcher, { program, reads: source })
      const args = ['-v', 'error', '-i', `file:${source}`, '-f', 'framecrc', '-']
      expect(await runProcess(program, args, undefined, { launch })).toContain('0,')
    }
  })

  test('starts without a complaint of its libraries, whatever build it is', async () => {
    for (const tools of builds)
      for (const program of [tools.ffmpeg, tools.ffprobe]) {
        const launch = await launchOf(launcher, { program, reads: source })
        const read = program === tools.ffmpeg ? ['-f', 'null', '-'] : ['-show_streams']
        const args = [...ERRORS_ONLY, '-i', `file:${source}`, ...read]
        expect((await runForOutput(program, args, undefined, { launch })).printed).toBe('')
      }
  })

  test.runIf(launcher.name === 'bwrap')('makes no namespaces, however it is asked to', async () => {
    for (const program of ['/usr/bin/unshare', '/usr/bin/nsenter']) {
      const launch = await launchOf(launcher, { program, reads: source })
      const args = program.endsWith('unshare') ? ['--user', '--', program] : ['--user=/dev/null', '--', program]
      await expect(runProcess(program, args, undefined, { launch })).rejects.toThrow(/Function not implemented/)
    }
  })

  test.runIf(process.getuid?.() === 0)('runs for an ordinary user too', async () => {
    const program = join(folder, 'ffmpeg')
    await copyFile(ffmpeg, program)
    for (const path of [folder, program, source]) await chmod(path, 0o755)
    const { words } = await launchOf(launcher, { program, reads: source })
    const asUser = ['setpriv', '--reuid=12345', '--regid=12345', '--clear-groups', '--']
    const args = ['-v', 'error', '-i', `file:${source}`, '-f', 'framecrc', '-']
    // Without a filter of system calls, whose descriptor setpriv would not hand on.
    const launch = { words: [...asUser, ...words.filter((_, n) => !isFilter(words, n))] }
    expect(await runProcess(program, args, undefined, { launch })).toContain('0,')
  })

  test('sees as many processors as there are', async () => {
    const program = '/usr/bin/getconf'
    const launch = await launchOf(launcher, { program })
    const printed = await runProcess(program, ['_NPROCESSORS_ONLN'], undefined, { launch })
    expect(Number(printed)).toBe(cpus().length)
  })

  test('reads no other file, neither beside its own nor of the machine', async () => {
    const canary = await makeTone(join(folder, 'canary.wav'))
    for (const path of [canary, '/etc/passwd', '/proc/self/environ', process.execPath])
      await expect(run(['-i', `file:${path}`, '-f', 'null', '-'])).rejects.toThrow(/No such file/)
  })

  test('reaches no server of the machine', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    onTestFinished(() => {
      server.close()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const args = ['-i', `tcp://127.0.0.1:${port}`, '-f', 'null', '-']
    await expect(run(args)).rejects.toThrow(/unreachable|not implemented/)
    expect(connections).toBe(0)
    await expect(runProcess(ffmpeg, ['-v', 'error', ...args], undefined)).rejects.toThrow(/Invalid data/)
    expect(connections).toBe(1)
  })

  test('writes to its one folder and nowhere else, also not to its source', async () => {
    const writes = await scratch()
    await run([...TONE, '-y', join(writes, 'a.wav')], { reads: source, writes })
    expect(await readdir(writes)).toEqual(['a.wav'])
    const before = await readFile(source)
    for (const path of [source, join(folder, 'new.wav'), '/tmp/new.wav', ffmpeg])
      await expect(run([...TONE, '-f', 'wav', '-y', `file:${path}`], { reads: source, writes })).rejects.toThrow(
        /Read-only file system|No such file|Permission denied/,
      )
    expect((await readFile(source)).equals(before)).toBe(true)
    expect((await readdir(folder)).sort()).toEqual(['source.wav'])
  })

  test('has no rights, and leaves no process when it is killed', async () => {
    const word = `tone-${process.pid}-${launcher.name}`
    const launch = await launchOf(launcher, { program: ffmpeg, reads: source })
    const endless = ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'sine', '-metadata', `title=${word}`]
    const child = startProcess(ffmpeg, [...endless, '-f', 'wav', 'pipe:1'], undefined, { launch })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdout.resume()
    const ids = await processesWith(word)
    const statuses = await Promise.all(ids.map((id) => readFile(`/proc/${id}/status`, 'utf8')))
    const status = statuses.find((text) => /^Name:\tffmpeg$/m.test(text)) ?? ''
    expect(status).toMatch(/^CapEff:\t0+$/m)
    expect(status).toMatch(/^CapPrm:\t0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(launcher.name === 'bwrap' ? /^Seccomp:\t2$/m : /^NSpid:\t\d+\t1$/m)
    child.kill()
    await expect(child.finished).rejects.toMatchObject({ code: 'VID_FFMPEG_FAILED', fault: 'machine' })
    await expect.poll(() => processesWith(word)).toEqual([])
  })
})

test.runIf(hasNamespaces)('a source is read in a sandbox through every link that leads to it', async () => {
  const { ffmpeg: program } = await findFfmpeg()
  const read = { program, before: ['-v', 'error'], file: source, after: ['-f', 'framecrc', '-'] }
  vi.stubEnv('VID_SANDBOX', 'require')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  expect((await readMedia(read, undefined)).stdout).toContain('0,')
})

test('a sandbox that is required and absent is an error; auto goes without it, and says why', async () => {
  const env = { PATH: folder }
  await expect(
    confineProgram({ program: ffmpeg, reads: source }, { ...env, VID_SANDBOX: 'require' }),
  ).rejects.toMatchObject({
    code: 'VID_MEDIA_SANDBOX_MISSING',
    fault: 'machine',
    hint: expect.stringContaining('bubblewrap'),
  })
  expect(await confineProgram({ program: ffmpeg, reads: source }, env)).toEqual({})
  if (process.platform === 'linux') expect(await missingConfinement(ffmpeg, env)).toMatch(/installed/)
  expect(await missingConfinement(ffmpeg, { ...env, VID_SANDBOX: 'off' })).toBeUndefined()
})

test('a launcher that does not work here is no sandbox', async () => {
  await writeFile(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions" >&2; exit 1\n', {
    mode: 0o755,
  })
  if (process.platform === 'linux')
    expect(await missingConfinement(ffmpeg, { PATH: folder })).toMatch(/^bwrap: .*No permissions/)
})

test.runIf(process.platform === 'linux')('a launcher that makes no namespace mounts nothing', async () => {
  const pretend = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
  await writeFile(join(folder, 'unshare'), pretend, { mode: 0o755 })
  const before = await readFile('/proc/self/mountinfo', 'utf8')
  expect(await missingConfinement(ffmpeg, { PATH: folder })).toMatch(/^unshare: .*exited with code 125/)
  expect(await readFile('/proc/self/mountinfo', 'utf8')).toBe(before)
})

test('an unknown mode of the sandbox is refused with those that there are', () => {
  expect(() => confinementMode({ VID_SANDBOX: 'yes' })).toThrow(/VID_SANDBOX is "yes".*auto, require, off/)
})
