import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, startVid, vid, vidWith } from '../fixtures/project.ts'

const facts = { ServerVersion: '28.1.0', MemTotal: 8e9, NCPU: 4, MemoryLimit: true }

/** A folder with a program that answers as an engine without images does. */
const withEngine = async () => {
  const folder = await makeFolder({
    docker: `#!/bin/sh
case "$1" in
  info) echo '${JSON.stringify(facts)}' ;;
  *) echo "Error: No such image" >&2; exit 1 ;;
esac
`,
  })
  const program = join(folder, 'docker')
  await chmod(program, 0o755)
  return { folder, env: { VID_CONTAINER_ENGINE: program } }
}

test('vid container info shows the engine, and that there is no image yet', async () => {
  const { folder, env } = await withEngine()
  const plain = await vidWith(folder, ['container', 'info'], { env })
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('docker 28.1.0') })
  const { stdout } = await vidWith(folder, ['container', 'info', '--json'], { env })
  expect(eventsOf(stdout)).toMatchObject([{ type: 'container-image', built: false, image: { id: null } }])
})

test('without an engine, every command says so with a code', async () => {
  const { folder } = await withEngine()
  const env = { VID_CONTAINER_ENGINE: join(folder, 'nothing') }
  for (const words of [
    ['container', 'info'],
    ['container', 'build'],
    ['container', 'shell'],
    ['render', 'intro', '--docker'],
    ['render', 'intro', '--target', 'docker'],
  ]) {
    const { code, stderr } = await vidWith(folder, words, { env })
    expect(stderr, words.join(' ')).toContain('error VID_CONTAINER_ENGINE_MISSING: ')
    expect(code).toBe(1)
  }
})

test('the command inside answers with one event when its order cannot be read', async () => {
  const folder = await makeFolder({ 'order.json': '{"version":1}' })
  for (const name of ['nowhere.json', 'order.json']) {
    const { child, done } = startVid(folder, ['container', 'inside', join(folder, name)])
    const { code, stdout } = await done
    expect([code, child.signalCode]).toEqual([1, null])
    expect(JSON.parse(stdout)).toMatchObject({ type: 'order-error', error: { code: 'VID_CONTAINER_ORDER' } })
  }
})

test('a container and another target cannot both be asked for', async () => {
  const folder = await makeFolder()
  const { code, stderr } = await vid(folder, 'render', 'intro', '--docker', '--target', 'local')
  expect(stderr).toContain('VID_FLAG_CONFLICT: --docker and --target cannot be combined')
  expect(code).toBe(2)
})

test('the filter of system calls is printed as engines read it, and lets pages and media have their sandboxes', async () => {
  const { code, stdout } = await vid(await makeFolder(), 'container', 'seccomp')
  const [{ names, action }] = JSON.parse(stdout).syscalls
  expect([code, action]).toEqual([0, 'SCMP_ACT_ALLOW'])
  expect(names).toEqual(expect.arrayContaining(['chroot', 'clone', 'mount', 'unshare']))
  for (const name of ['bpf', 'fsopen', 'keyctl', 'open_by_handle_at', 'ptrace', 'setns'])
    expect(names).not.toContain(name)
})
