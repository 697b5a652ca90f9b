import { execFileSync } from 'node:child_process'
import { watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, page, paint, startVid, vid } from '../../fixtures/project.ts'

/** How a command ended that gets SIGTERM once `mark` is in its folder. */
const stoppedAt = async (folder: string, mark: string, ...args: string[]) => {
  const marked = new Promise<void>((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name !== mark) return
      watcher.close()
      resolve()
    })
  })
  const { child, done } = startVid(folder, args)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  await marked
  child.kill('SIGTERM')
  await done
  return ended
}

// Each says that it runs, then keeps the thread, or a promise, for ever.
const marks = `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('mark', import.meta.url), '')\n`
test.each([
  ['loops', `${marks}while (true) {}`],
  ['waits', `${marks}setInterval(() => {}, 1000)\nawait new Promise(() => {})`],
])('a config that %s for ever is ended by SIGTERM', async (_, text) => {
  for (const name of ['vid.config.mjs', 'vid.config.ts']) {
    const folder = await makeFolder({ [name]: text })
    expect(await stoppedAt(folder, 'mark', 'render', 'intro')).toEqual({ code: null, signal: 'SIGTERM' })
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
  }
})

test('a pipe in place of a file of the composition ends in an error, and nothing waits for it', async () => {
  const folder = await makeFolder({
    'vid.config.mjs': paint,
    'nested/index.html': page.replace('</div>', '<div data-composition-src="pipe.html"></div></div>'),
  })
  for (const name of ['piped/index.html', 'nested/pipe.html']) {
    execFileSync('mkdir', ['-p', join(folder, name, '..')])
    execFileSync('mkfifo', [join(folder, name)])
  }
  const ending = async (...args: string[]) => {
    const { code, stderr } = await vid(folder, 'render', ...args)
    expect(code, stderr).not.toBe(0)
    return /error (VID_\w+)/.exec(stderr)?.[1]
  }
  expect(await ending('piped')).toBe('VID_ENTRY_UNREADABLE')
  expect(await ending('nested')).toMatch(/^VID_/)
})

test('variables and rows are read from a pipe that is written to, and SIGTERM ends the wait for them', async () => {
  const folder = await makeFolder()
  const bin = join(import.meta.dirname, '../../../bin/vid.js')
  const shell = (command: string) =>
    execFileSync('bash', ['-c', `exec 2>&1; ${command}; true`], { cwd: folder, encoding: 'utf8' })
  const run = `"${process.execPath}" "${bin}" render intro`
  expect(shell(`${run} -o a.mp4 --variables-file <(echo '{"title":"x"}')`)).toContain('a.mp4')
  expect(shell(`${run} -o 'b/{title}.mp4' --batch <(echo '[{"title":"x"}]')`)).toContain('b/manifest.json')
  for (const flag of ['--variables-file', '--batch']) {
    // The pipe stays open until the command has ended.
    const text = shell(
      `mkfifo held; exec 9<>held; ${run} ${flag} held & pid=$!
       until [ -n "$(find /proc/$pid/fd -lname '*/held' -printf x 2>/dev/null | tail -c +2)" ]; do :; done
       kill -TERM $pid; wait $pid; echo "code $?"; rm held`,
    )
    expect(text).toContain('code 143')
  }
})

test.each([
  ['1e7', 300_000_000],
  ['1e8', 3_000_000_000],
  ['172800.1', 5_184_003],
])('a length of %s seconds is refused with its frames', async (seconds, frames) => {
  const folder = await makeFolder({
    'intro/index.html': page.replace('data-duration="0.5"', `data-duration="${seconds}"`),
  })
  const { code, stderr } = await vid(folder, 'render', 'intro')
  expect(code).toBe(1)
  expect(stderr).toContain(`error VID_COMPOSITION_TOO_LONG`)
  expect(stderr).toContain(`${frames} frames; at most 5184000`)
})

/** A render of 24 hours whose capture has begun. */
const startLong = async () => {
  const folder = await makeFolder({
    'vid.config.mjs': paint,
    'intro/index.html': page.replace('data-duration="0.5"', 'data-duration="86400"'),
    'other/index.html': page,
  })
  const { child, done } = startVid(folder, ['render', 'intro', '--fps', '60'])
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => chunk.includes('rendering') && resolve())
  })
  return { folder, child, done }
}

test('a render of 24 hours ends at SIGTERM, with nothing left', async () => {
  const { folder, child, done } = await startLong()
  child.kill('SIGTERM')
  expect(await done).toMatchObject({ code: 143, stdout: '' })
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('what a killed render left in the temporary folder goes with the next command', async () => {
  const { folder, child, done } = await startLong()
  child.kill('SIGKILL')
  await done
  expect(await readdir(join(folder, 'tmp'))).toHaveLength(1)
  expect(await vid(folder, 'render', 'other')).toMatchObject({ code: 0 })
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})
