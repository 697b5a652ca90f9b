import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasNamespaces } from '../../scripts/dev/namespaces.ts'
import { BROWSER, descendants, here, printed, scratch, start, vid } from '../support/vid.ts'

const project = here('projects/frame-number')

/** Processes that a render has started, looked at when it is halfway. */
const childrenOf = async (run: ReturnType<typeof start>) => {
  await printed(run, /"framesRendered":(1[5-9]|[2-9]\d)/)
  process.kill(run.child.pid, 'SIGSTOP')
  onTestFinished(() => {
    run.child.kill('SIGCONT')
  })
  return descendants(run.child.pid)
}

/** Starts a command where no user namespace can be created. */
const CLOSED = ['unshare', '-Ur', 'sh', '-ec', 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"', 'sh']

/** Runs the command where no user namespace can be created. */
const vidWithoutNamespaces = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  vid(args, { env, ...(hasNamespaces && { through: CLOSED }) })

/** Warnings of one code that the end of a render reports. */
const warningsOf = (stdout: string, code: string) => {
  const { type, warnings } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(type).toBe('render-complete')
  return warnings.filter((warning: { code: string }) => warning.code === code)
}

test('no browser and no encoder has a secret of the caller in its environment', async () => {
  const folder = await scratch()
  // Large enough that its first segment is still encoded when the command is stopped.
  const run = start(['render', here('../examples/hello'), '-o', join(folder, 'a.mp4'), '--json', '--no-cache'], {
    env: { CANARY_TOKEN: 'canary-in-the-environment' },
  })
  const children = await childrenOf(run)
  const seen = await Promise.all(
    children.map(async ({ pid, command }) => {
      // A process in a sandbox of an ordinary user cannot be read, not even by its owner.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => undefined)
      return { command, environment }
    }),
  )
  const read = seen.filter(({ environment }) => environment !== undefined)
  expect(read.some(({ command }) => BROWSER.test(command))).toBe(true)
  expect(read.some(({ command }) => command.includes('ffmpeg'))).toBe(true)
  for (const { command, environment } of read) expect(environment, command).not.toContain('canary-in-the-environment')
})

test.runIf(hasNamespaces)('pages of every user, root too, run in a sandbox with the same bytes', async () => {
  const folder = await scratch()
  const run = start(['render', project, '-o', join(folder, 'inside.mp4'), '--json'])
  const renderers = (await childrenOf(run)).filter(({ command }) => command.includes('--type=renderer'))
  expect(renderers.length).toBeGreaterThan(0)
  for (const { pid } of renderers) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    // System calls are filtered, and the process is in a namespace of its own.
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(status).toMatch(/^NSpid:\t\d+\t\d+/m)
  }
  run.child.kill('SIGCONT')
  expect(await run.done).toMatchObject({ code: 0 })
  expect(warningsOf(run.text.stdout, 'VID_SANDBOX_OFF')).toEqual([])
  const outside = await vid(['render', project, '-o', join(folder, 'outside.mp4')], {
    env: { VID_SANDBOX: 'off' },
  })
  expect(outside).toMatchObject({ code: 0 })
  const [one, other] = await Promise.all(['inside', 'outside'].map((name) => readFile(join(folder, `${name}.mp4`))))
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true)
})

test('where no sandbox can start, a render warns once, in words with the remedy', async () => {
  const output = join(await scratch(), 'a.mp4')
  const warned = await vidWithoutNamespaces(['render', project, '-o', output, '--json', '--workers', '2'], {
    VID_SANDBOX: 'auto',
  })
  expect(warned.code, warned.stderr).toBe(0)
  expect(warningsOf(warned.stdout, 'VID_SANDBOX_OFF')).toMatchObject([
    {
      message: expect.stringContaining('namespaces'),
      hint: expect.stringContaining('VID_SANDBOX'),
    },
  ])
})

test('VID_SANDBOX=require refuses to render without a sandbox, and off renders without a word', async () => {
  const output = join(await scratch(), 'a.mp4')
  const refused = await vidWithoutNamespaces(['render', project, '-o', output], { VID_SANDBOX: 'require' })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('VID_SANDBOX_MISSING')
  const run = await vidWithoutNamespaces(['render', project, '-o', output], { VID_SANDBOX: 'off' })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stderr).not.toContain('SANDBOX')
})

test('a mode of the sandbox that there is not is refused with those that there are', async () => {
  const output = join(await scratch(), 'a.mp4')
  const refused = await vid(['render', project, '-o', output], { env: { VID_SANDBOX: 'yes' } })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/VID_SANDBOX is "yes"; known: auto, require, off/)
})

test.runIf(process.getuid?.() === 0 && hasNamespaces)(
  'a browser whose sandbox does not start on a machine with namespaces is started without it, with a warning',
  async () => {
    const folder = await scratch()
    // Answers as if namespaces could be made, and starts the browser as root.
    const pretend =
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\ncase "$1" in */unshare) exit 0; esac\nexec "$@"\n'
    await writeFile(join(folder, 'unshare'), pretend, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env.PATH}`, VID_SANDBOX: 'auto' }
    const run = await vid(['render', project, '-o', join(folder, 'a.mp4'), '--json'], { env })
    expect(run.code, run.stderr).toBe(0)
    expect(warningsOf(run.stdout, 'VID_SANDBOX_OFF')).toMatchObject([
      { message: expect.stringContaining('Running as root without --no-sandbox') },
    ])
  },
)
