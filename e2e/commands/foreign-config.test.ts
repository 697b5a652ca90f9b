import { chmod, chown, cp, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { here, scratch, vid } from '../support/vid.ts'

const STRANGER = 54_321
const isRoot = process.getuid?.() === 0

/** Root as an ordinary user: without its rights, but with its files. */
const ORDINARY = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

/** A composition below a folder that others share, and a config there that leaves a mark when it is executed. */
const makeTrap = async (name = 'vid.config.mjs') => {
  const shared = await scratch()
  await chmod(shared, 0o1777)
  const project = join(shared, 'own')
  await cp(here('projects/frame-number/index.html'), join(project, 'index.html'))
  const config = join(shared, name)
  const mark = join(shared, 'mark')
  const code = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\nexport default {}\n`
  await writeFile(config, name.endsWith('json') ? '{ "render": { "fps": 24 } }' : code)
  return { shared, project, config, mark }
}

const inspect = (project: string, options: Parameters<typeof vid>[1] = {}) =>
  vid(['inspect', project, '--json'], options)

const expectRefused = async (run: ReturnType<typeof vid>, { mark, config }: { mark: string; config: string }) => {
  const { code, stderr } = await run
  expect(stderr).toContain(config.slice(tmpdir().length))
  expect(stderr).toMatch(/VID_CONFIG_UNSAFE.*another user could have written it/)
  expect(code).toBe(2)
  await expect(writeFile(mark, '', { flag: 'wx' })).resolves.toBeUndefined()
}

test.runIf(isRoot).each(['vid.config.mjs', 'vid.config.ts', 'vid.config.json'])(
  "a stranger's %s above the project is refused, for root and for an ordinary user",
  async (name) => {
    for (const through of [[], ORDINARY]) {
      const trap = await makeTrap(name)
      await chown(trap.config, STRANGER, STRANGER)
      await expectRefused(inspect(trap.project, { through }), trap)
    }
  },
)

test.runIf(isRoot)("a stranger's config in the shared folder that one stands in is refused", async () => {
  const trap = await makeTrap()
  await chown(trap.config, STRANGER, STRANGER)
  await expectRefused(inspect('own', { cwd: trap.shared }), trap)
})

test('a config above the project that every user may write to, or replace, is refused', async () => {
  const writable = await makeTrap()
  await chmod(writable.config, 0o666)
  await expectRefused(inspect(writable.project), writable)
  const replaceable = await makeTrap()
  await chmod(replaceable.shared, 0o777)
  await expectRefused(inspect(replaceable.project), replaceable)
})

test("one's own config in a shared folder is loaded, and so is one in a project that all may write to", async () => {
  const above = await makeTrap()
  expect(await inspect(above.project)).toMatchObject({ code: 0 })
  const within = await makeTrap()
  await chmod(within.shared, 0o777)
  await chmod(within.config, 0o777)
  expect(await inspect('own', { cwd: within.shared })).toMatchObject({ code: 0 })
  for (const { mark } of [above, within]) await expect(writeFile(mark, '', { flag: 'wx' })).rejects.toThrow('EEXIST')
})

test.runIf(isRoot)('root renders the project of another user, with the config above it', async () => {
  const { shared, project, config, mark } = await makeTrap()
  await mkdir(join(project, 'intro'))
  for (const path of [shared, project, config]) await chown(path, STRANGER, STRANGER)
  await chmod(shared, 0o755)
  expect(await inspect(project)).toMatchObject({ code: 0 })
  await expect(writeFile(mark, '', { flag: 'wx' })).rejects.toThrow('EEXIST')
})

test('no settings of a library are executed in the current folder', async () => {
  const { shared, project, mark, config } = await makeTrap('vid.config.json')
  await mkdir(join(shared, '.config'))
  await writeFile(
    join(shared, '.config/config.mjs'),
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\nexport default {}\n`,
  )
  await writeFile(join(shared, 'package.json'), '{ "cosmiconfig": { "searchPlaces": ["other.json"] } }')
  expect(await inspect(project, { cwd: shared })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('24'),
  })
  expect(config).toContain('json')
  await expect(writeFile(mark, '', { flag: 'wx' })).resolves.toBeUndefined()
})
