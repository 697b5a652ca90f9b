import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { partOf } from '../../../../../../scripts/dev/part-of.ts'
import { eventsOf, makeFolder, startVid } from '../../fixtures/project.ts'

const plugins = JSON.stringify(fileURLToPath(new URL('../../fixtures/plugins.mjs', import.meta.url)))

/** A config whose delivery runs some code, after a file is delivered. */
const delivering = (code: string, head = '') => `import { painter, bytes } from ${plugins}
import { defineDelivery, defineCapture } from '@vid/kernel'
import file from '@vid/deliver-file'
import { execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
${head}
// A stop signal never comes late: each waits until the command aborts.
const odd = defineDelivery({ name: '@acme/odd', async deliver(_artifact, _result, { signal }) {
  const aborted = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  ${code}
} })
export default { capture: painter(), encoders: [bytes()], deliveries: [odd(), file()] }`

const run = async (config: string, ...flags: string[]) => {
  const folder = await makeFolder({ 'vid.config.mjs': config })
  const ended = await startVid(folder, ['render', 'intro', '-o', 'out.mp4', ...flags]).done
  return { folder, ...ended }
}

describe('what a plugin throws where nothing waits for it', () => {
  test.each(
    partOf(
      [
        ['a promise that nobody awaits', "Promise.reject(new Error('stray')); await aborted", 'stray'],
        ['a promise at the very end', "Promise.reject(new Error('stray'))", 'stray'],
        ['a timer', "setTimeout(() => { throw new Error('stray') }); await aborted", 'stray'],
        ['a string', "setTimeout(() => { throw 'x' }); await aborted", 'x'],
        ['nothing', 'setTimeout(() => { throw undefined }); await aborted', 'undefined'],
        ['a listener', "process.nextTick(() => { throw new Error('stray') }); await aborted", 'stray'],
        ['a child that cannot be started', "spawn('/no/such/program'); await aborted", 'ENOENT'],
      ],
      4,
    ),
  )('%s ends the command with 1, and its plugin is named', async (_, code, reason) => {
    const { stdout, stderr, code: exit, folder } = await run(delivering(code), '--json')
    expect(exit, stderr).toBe(1)
    const events = eventsOf(stdout)
    expect(events.at(-1)).toMatchObject({
      type: 'render-error',
      error: { code: 'VID_PLUGIN_FAILED', plugin: '@acme/odd', message: expect.stringContaining(reason) },
    })
    expect(events.filter(({ type }) => type === 'render-complete')).toEqual([])
    expect(stderr).toContain('plugin: @acme/odd, hook deliver')
    expect(stderr).not.toContain('once more')
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    // What was rendered is not lost.
    expect(await readFile(join(folder, 'out.mp4'))).toHaveLength(15)
  })

  test('the config itself is named by its path', async () => {
    const head = "setTimeout(() => { throw new Error('of the config') })"
    const { stderr, code } = await run(delivering('await aborted', head))
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /error VID_CODE_STRAY: Code in \S+vid\.config\.mjs failed where nothing waits for it: of the config/,
    )
  })
})

describe('process.exit in a plugin', () => {
  test.each(
    partOf(
      [
        ['in a delivery', 'process.exit(0)'],
        ['where the plugin catches everything', 'try { process.exit(0) } catch {} await aborted'],
        ['in a timer', 'setTimeout(() => process.exit(0)); await aborted'],
      ],
      2,
    ),
  )('%s is no success', async (_, code) => {
    const { stderr, stdout, code: exit, folder } = await run(delivering(code))
    expect(exit, stderr).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(
      'error VID_PLUGIN_FAILED: Plugin @acme/odd in hook deliver failed: it called process.exit(0)',
    )
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    expect(await readFile(join(folder, 'out.mp4'))).toHaveLength(15)
  })

  test('in the config is an error of the config', async () => {
    const { stderr, code } = await run(delivering('', 'process.exit(0)'))
    expect(code).toBe(2)
    expect(stderr).toContain('error VID_CONFIG_BROKEN')
    expect(stderr).toContain('process.exit(0)')
  })

  test('ends the children of the render', async () => {
    const head = `import { sleeper } from ${plugins}
import { fileURLToPath } from 'node:url'
const sleeping = sleeper({ pidFile: fileURLToPath(new URL('pid.txt', import.meta.url)) })
const exiting = { ...sleeping, async open(plan, context) {
  const page = await sleeping.open(plan, context)
  return { ...page, async *frames() { process.exit(0) } }
} }`
    const config = delivering('', head).replace('capture: painter()', 'capture: exiting')
    const { stderr, code, folder } = await run(config)
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('fixture-sleeper in hook capture failed: it called process.exit(0)')
    const pid = Number(await readFile(join(folder, 'pid.txt'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

/** Writes to stdout in all ways that Node offers a plugin. */
const printing = `console.log('said by console.log')
  process.stdout.write('said by write\\n')
  spawnSync('echo', ['said by spawnSync'], { stdio: 'inherit' })
  execSync('echo said by execSync', { stdio: [0, 1, 2] })
  await once(spawn('echo', ['said by spawn'], { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit')
  await once(spawn('echo said by a shell', { stdio: 'inherit', shell: true }), 'exit')`
const words = ['console.log', 'write', 'spawnSync', 'execSync', 'spawn', 'a shell'].map((way) => `said by ${way}`)

describe('what a plugin prints', () => {
  test('is on stderr, and stdout has events alone', async () => {
    const { stdout, stderr, code } = await run(delivering(printing, "console.log('said by the config')"), '--json')
    expect(code, stderr).toBe(0)
    expect(eventsOf(stdout).at(-1)).toMatchObject({ type: 'render-complete' })
    for (const text of [...words, 'said by the config']) expect(stderr).toContain(text)
  })

  test('does not get among the paths of a command without events', async () => {
    const { stdout, code } = await run(delivering(printing))
    expect({ stdout, code }).toEqual({ stdout: 'out.mp4\n', code: 0 })
  })

  test('a command of the config prints where it likes, and ends as it likes', async () => {
    const folder = await makeFolder({
      'vid.config.mjs': `import { defineCommand } from '@vid/command'
export default { commands: [defineCommand({ path: 'shout', summary: 'Shouts.', options: {}, async run() {
  console.log('LOUD')
  process.exit(3)
} })] }`,
    })
    expect(await startVid(folder, ['shout']).done).toEqual({ code: 3, stdout: 'LOUD\n', stderr: '' })
  })
})
