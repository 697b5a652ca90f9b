import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagesBeside } from '@vid/assets'
import { expect, onTestFinished, test } from 'vitest'

import { readEngineFacts } from '../engine/engine-facts.ts'
import { limitArguments } from './limits.ts'
import { mountArguments, readOnlyMounts, sightMounts } from './mounts.ts'
import { segmentsMount } from './segments.ts'
import { containerSettings } from './settings.ts'
import { chooseUser } from './user.ts'
import { isOverfull } from './work-folder.ts'

const docker = (options: readonly string[] = []) => {
  const facts = readEngineFacts(
    JSON.stringify({ ServerVersion: '28', MemTotal: 8e9, NCPU: 4, SecurityOptions: options }),
  )
  if (typeof facts === 'string') throw new Error(facts)
  return facts
}
const podman = (rootless: boolean, cgroupVersion = 'v2') => {
  const host = { memTotal: 8e9, cpus: 4, cgroupVersion, security: { rootless } }
  const facts = readEngineFacts(JSON.stringify({ host, version: { Version: '5.0' } }))
  if (typeof facts === 'string') throw new Error(facts)
  return facts
}
const caller = { uid: 501, gid: 20 }
const root = { uid: 0, gid: 0 }

test.each([
  ['Docker', docker(), caller, '--user 501:20'],
  ['Docker with ids of its own', docker(['name=userns']), caller, '--user 501:20 --userns host'],
  ['Docker without root', docker(['name=rootless,x=y']), caller, '--user 0:0'],
  ['Podman without root', podman(true), caller, '--user 501:20 --userns keep-id'],
  ['Podman of root', podman(false), root, '--user 1000:1000'],
])('%s runs a container as the caller, and as an ordinary user for root', (_, engine, ids, words) => {
  expect(chooseUser(engine, ids).words.join(' ')).toBe(words)
})

test('an engine that cannot limit a container says so', () => {
  expect([docker().limits, podman(true).limits, podman(true, 'v1').limits]).toEqual([true, true, false])
})

test.each(['', '{}', 'null', '{"host":{}}', '{"ServerVersion":"","MemTotal":0,"NCPU":0}'])(
  'an answer such as %j is none of an engine',
  (text) => expect(readEngineFacts(text)).toEqual(expect.any(String)),
)

test('memory is three quarters of the machine, without swap, and shared memory no more than that', () => {
  const words = limitArguments(containerSettings({ shm: 2 ** 40 }), docker()).join(' ')
  expect(words).toContain('--memory 6000000000 --memory-swap 6000000000 ')
  expect(words).toContain('--shm-size 6000000000')
  const chosen = limitArguments(containerSettings({ memory: 2 ** 30, cpus: 16 }), docker()).join(' ')
  expect(chosen).toContain('--memory 1073741824 --memory-swap 1073741824 --cpus 4 ')
})

const folderWith = async (...names: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'isolation-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of names) await mkdir(join(folder, name), { recursive: true })
  return folder
}

test('a project is seen with the packages above it, and a config with its folder', async () => {
  const folder = await folderWith('a/b/project', 'a/node_modules', 'a/secrets', 'config/plugins')
  await writeFile(join(folder, 'config/vid.config.ts'), '')
  const mounts = await readOnlyMounts({
    projectDir: join(folder, 'a/b/project'),
    config: join(folder, 'config/vid.config.ts'),
    more: [join(folder, 'config/plugins')],
  })
  const paths = mounts.map(({ source }) => source.slice(folder.length))
  expect(paths).toEqual(['/a/b/project', '/a/node_modules', '/config'])
  expect(mounts.every(({ isReadOnly }) => isReadOnly)).toBe(true)
})

test.each(['/', '/usr', '/opt', '/tmp', '/vid'])('%s cannot be a project', async (projectDir) => {
  await expect(readOnlyMounts({ projectDir, config: undefined, more: [] })).rejects.toMatchObject({
    code: 'VID_CONTAINER_FOLDER',
  })
})

test('a path that the option mounts names has to be there', async () => {
  const folder = await folderWith('project')
  const sight = { projectDir: join(folder, 'project'), config: undefined, more: [join(folder, 'away')] }
  await expect(readOnlyMounts(sight)).rejects.toMatchObject({ code: 'VID_CONTAINER_MOUNT', fault: 'caller' })
})

test('a path with commas and quotes stays one field', () => {
  const [, text] = mountArguments([{ source: '/a, "b"', isReadOnly: true }])
  expect(text).toBe('type=bind,"source=/a, ""b""","destination=/a, ""b""",readonly')
})

test('a work folder is overfull by the bytes of all its files', async () => {
  const folder = await folderWith('tmp/deep')
  await writeFile(join(folder, 'tmp/deep/junk'), Buffer.alloc(3_000_000, 1))
  expect([await isOverfull(folder, 2_000_000), await isOverfull(folder, 20_000_000)]).toEqual([true, false])
})

test('a project whose folder of kept segments is a link gives a container nothing of what it leads to', async () => {
  const folder = await folderWith('project', 'elsewhere')
  await symlink(join(folder, 'elsewhere'), join(folder, 'project/.vid'))
  const user = { ...caller, words: [] }
  await expect(segmentsMount(join(folder, 'project'), user)).rejects.toMatchObject({
    code: 'VID_CONTAINER_FOLDER',
  })
  expect(await readdir(join(folder, 'elsewhere'))).toEqual([])
  expect(await segmentsMount(join(folder, 'elsewhere'), user)).toMatchObject({ destination: '/segments' })
})

test('packages that this vid has beside itself are beside that of the image', async () => {
  const folder = await folderWith('project')
  const projectDir = join(folder, 'project')
  const mounts = await sightMounts({ projectDir, config: undefined, more: [] })
  const beside = [...(await packagesBeside())]
  expect(beside.map(([name]) => name)).toContain('gsap')
  for (const [name, source] of beside)
    expect(mounts).toContainEqual({ source, destination: `/opt/vid/node_modules/${name}`, isReadOnly: true })
})
