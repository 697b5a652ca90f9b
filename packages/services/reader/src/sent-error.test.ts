import { isMachineFault, isSystemFault, isVidError, VidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { receiveError, sendError } from './sent-error.ts'

const sent = (thrown: unknown) => receiveError(structuredClone(sendError(thrown)))
const text = { message: 'It is broken.', hint: 'Mend it.', fault: 'render' } as const

test('a coded error keeps its code, fault, facts and finality, also as a cause', () => {
  const coded = new VidError('VID_A', { ...text, final: true }, { at: 3 }, { plugin: 'p', hook: 'plan' })
  expect(sent(coded)).toEqual(coded)
  expect(sent(coded)).toMatchObject({ final: true, facts: { at: 3 }, plugin: 'p', hook: 'plan' })
  expect(sent(new VidError('VID_A', text))).toMatchObject({ final: false, ...text })
  const { cause } = sent(new Error('around', { cause: coded }))
  expect(isVidError(cause) && cause.code).toBe('VID_A')
})

test('a fault of the system stays one, also as the cause of another error', () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
  expect(sent(full)).toMatchObject({ code: 'ENOSPC', errno: -28, syscall: 'write', message: 'no space left' })
  expect(isSystemFault(sent(full))).toBe(true)
  expect(isMachineFault(sent(new VidError('VID_A', text, {}, { cause: full })))).toBe(true)
})

test('errors of the language keep their class, and what is no error becomes one', () => {
  expect(sent(new RangeError('too deep'))).toBeInstanceOf(RangeError)
  expect(sent(new TypeError('not a function'))).toMatchObject({ name: 'TypeError', message: 'not a function' })
  expect(sent('text').message).toBe('text')
})
