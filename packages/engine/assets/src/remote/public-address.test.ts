import { expect, test } from 'vitest'
import { isPublicAddress, resolvePublic } from './public-address.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  'fd00::1',
  'fe80::1',
  '2002:7f00:1::',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('a name that resolves to this machine is refused unless it is allowed', async () => {
  await expect(resolvePublic('localhost', false)).rejects.toThrow('localhost has no public address')
  await expect(resolvePublic('Other.Localhost', false)).rejects.toMatchObject({
    message: 'Other.Localhost has no public address',
    cause: { address: '127.0.0.1' },
  })
  await expect(resolvePublic('[::1]', false)).rejects.toThrow('[::1] has no public address')
  await expect(resolvePublic('127.0.0.1', true)).resolves.toEqual({ address: '127.0.0.1', family: 4 })
})

test('a refusal does not tell whether a name exists, nor where it leads', async () => {
  const reasonOf = (host: string) =>
    resolvePublic(host, false).catch((thrown: Error) => thrown.message.replace(host, 'HOST'))
  const reasons = await Promise.all(['localhost', '10.0.0.1', 'missing.invalid'].map(reasonOf))
  expect(new Set(reasons)).toEqual(new Set(['HOST has no public address']))
})
