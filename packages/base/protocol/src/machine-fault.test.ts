import { expect, test } from 'vitest'
import { failRender, isMachineFault, isSystemFault, rethrowMachineFault } from './index.ts'

const system = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code })
const lacking = failRender('VID_MACHINE_LACKS', { doing: 'reading', reason: 'no memory' })
const broken = (cause?: unknown) => failRender('VID_PLUGIN_FAILED', { plugin: 'a', hook: 'b', reason: 'c' }, { cause })

test.each([
  ['a full disk', system('ENOSPC'), true, true],
  ['too many open files', system('EMFILE'), true, true],
  ['a disk that cannot be read', system('EIO'), true, true],
  ['an error of the machine', lacking, false, true],
  ['an error that a full disk caused', broken(system('ENOSPC')), true, true],
  ['an error that was caused by an error of the machine', broken(new Error('x', { cause: lacking })), false, true],
  ['a missing file', system('ENOENT'), false, false],
  ['a file of another user', system('EACCES'), false, false],
  ['an error of the render', broken(), false, false],
  ['a text that was thrown', 'ENOSPC', false, false],
])('%s', (_name, thrown, isSystem, isMachine) => {
  expect(isSystemFault(thrown)).toBe(isSystem)
  expect(isMachineFault(thrown)).toBe(isMachine)
  if (isMachine) expect(() => rethrowMachineFault(thrown)).toThrow(thrown as Error)
  else expect(rethrowMachineFault(thrown)).toBeUndefined()
})
