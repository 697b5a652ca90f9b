import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test('a program gets what it needs to start, and no other variable of its caller', () => {
  const needed = { PATH: '/usr/bin', HOME: '/home/me', LC_ALL: 'C', LD_LIBRARY_PATH: '/lib', DISPLAY: ':0' }
  const secret = {
    AWS_SECRET_ACCESS_KEY: 'a',
    NPM_TOKEN: 'b',
    HTTPS_PROXY: 'http://me:pass@proxy',
    Path: 'c',
  }
  expect(childEnvironment({ ...needed, ...secret, EMPTY: undefined }, 'linux')).toEqual(needed)
})

test('names are compared without their case on Windows', () => {
  const env = { Path: 'C:\\', SystemRoot: 'C:\\Windows', 'ProgramFiles(x86)': 'C:\\P', Secret: 'a' }
  const { Secret: _, ...needed } = env
  expect(childEnvironment(env, 'win32')).toEqual(needed)
})
