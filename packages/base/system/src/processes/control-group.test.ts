import { expect, test } from 'vitest'
import { groupCores, groupCpuMs, groupMemoryKills } from './control-group.ts'

/** Reads from files that are given by their paths. */
const readOf = (files: Readonly<Record<string, string>>) => (path: string) => files[path]

const NONE = { '/proc/self/cgroup': '0::/\n' }

test('the lowest limit of all groups around a process counts, whichever group has it', () => {
  const nested = (inner: string, outer: string) =>
    readOf({
      '/proc/self/cgroup': '0::/user.slice/render.service\n',
      '/sys/fs/cgroup/cpu.stat': 'usage_usec 9\n',
      '/sys/fs/cgroup/user.slice/cpu.max': outer,
      '/sys/fs/cgroup/user.slice/render.service/cpu.max': inner,
    })
  expect(groupCores(nested('150000 100000\n', 'max 100000\n'))).toBe(1.5)
  expect(groupCores(nested('max 100000\n', '50000 100000\n'))).toBe(0.5)
  expect(groupCores(nested('400000 100000\n', '200000 100000\n'))).toBe(2)
  expect(groupCores(nested('max 100000\n', 'max 100000\n'))).toBeUndefined()
})

test('a container sees its own limit at the root, also where its path is that of the machine', () => {
  expect(groupCores(readOf({ ...NONE, '/sys/fs/cgroup/cpu.max': '200000 100000\n' }))).toBe(2)
  const old = {
    '/proc/self/cgroup': '4:memory:/docker/1f\n3:cpuacct,cpu:/docker/1f\n1:name=systemd:/docker/1f\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '150000\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage': '2500000\n',
  }
  expect(groupCores(readOf(old))).toBe(1.5)
  expect(groupCpuMs(readOf(old))).toBe(2.5)
})

test('groups of version 1 are found beside those of version 2', () => {
  const files = {
    '/proc/self/cgroup': '2:cpuacct:/render\n1:cpu:/render\n0::/\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpu/render/cpu.cfs_quota_us': '100000\n',
    '/sys/fs/cgroup/cpu/render/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpuacct/cpuacct.usage': '900000000\n',
    '/sys/fs/cgroup/cpuacct/render/cpuacct.usage': '7000000\n',
  }
  expect(groupCores(readOf(files))).toBe(1)
  // What others outside of the group have used says nothing.
  expect(groupCpuMs(readOf(files))).toBe(7)
})

test('without control groups there is no limit, and nothing is counted', () => {
  for (const read of [readOf({}), readOf(NONE)]) {
    expect(groupCores(read)).toBeUndefined()
    expect(groupCpuMs(read)).toBeUndefined()
  }
})

test('the time that is counted here grows with work', () => {
  const before = groupCpuMs()
  if (before === undefined) return expect(groupCores()).toBeUndefined()
  const until = performance.now() + 200
  while (performance.now() < until) Math.sqrt(2)
  expect((groupCpuMs() ?? 0) - before).toBeGreaterThan(20)
})

test('processes that were ended for lack of memory are counted by groups of both versions', () => {
  const events = 'low 0\nhigh 0\nmax 7\noom 2\noom_kill 2\noom_group_kill 0\n'
  expect(groupMemoryKills(readOf({ ...NONE, '/sys/fs/cgroup/memory.events': events }))).toBe(2)
  const old = {
    '/proc/self/cgroup': '4:memory:/docker/1f\n1:name=systemd:/docker/1f\n',
    '/sys/fs/cgroup/memory/memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
  }
  expect(groupMemoryKills(readOf(old))).toBe(3)
  expect(groupMemoryKills(readOf(NONE))).toBeUndefined()
})
