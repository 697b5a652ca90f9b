import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { allowedCores, limitedCommand, parseList } from './limited-command.mjs'

test('lists of processors are read', () => {
  expect(parseList('0-2,5\n')).toEqual([0, 1, 2, 5])
  expect(parseList('')).toEqual([])
})

test('a command runs on one processor, and so does what it starts', () => {
  const script =
    'console.log(require("os").availableParallelism(), require("fs").readFileSync("/proc/self/cgroup", "utf8"))'
  const { way, command, args, remove } = limitedCommand(1, 'sh', ['-c', '"$@"', 'sh', process.execPath, '-e', script])
  try {
    const [cores, group] = execFileSync(command, args, { encoding: 'utf8' }).split(' ')
    if (way === 'cpu.max') expect(group).toContain('vid-cores-')
    else expect(Number(cores)).toBe(1)
  } finally {
    remove()
  }
})

test('more processors than there are are refused', () => {
  const count = allowedCores().length
  expect(() => limitedCommand(count + 1, 'true', [])).toThrow(`this process may use ${count} processors`)
})
