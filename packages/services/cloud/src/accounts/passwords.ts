import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '@vid/system'

/** scrypt cost parameter: 128 MiB of memory per hash, as OWASP recommends. */
const N = 2 ** 17
const r = 8
const p = 1
const BYTES = 32
const SALT_BYTES = 16
/** Hashes computed at the same time; more would take memory from renders. */
const AT_ONCE = 2
const MAX_WAITING = 32

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const slots = createSemaphore(AT_ONCE)

/** Whether the queue of password checks is full. */
export const isBusy = (): boolean => slots.waiting() >= MAX_WAITING

const hashOf = (password: string, salt: Buffer, cost: { N: number; r: number; p: number }, bytes: number) =>
  // Other systems may encode the same typed characters as different code points.
  slots.run(() => derive(password.normalize('NFKC'), salt, bytes, { ...cost, maxmem: 256 * cost.N * cost.r }))

/** Hashes a password; the result includes the parameters, so that costs can be raised later. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  const hash = await hashOf(password, salt, { N, r, p }, BYTES)
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Compared for accounts without a password, so that their checks take as long as others. */
const NOBODY = `scrypt$${N}$${r}$${p}$${Buffer.alloc(SALT_BYTES).toString('base64')}$`

/** Whether a password has this hash; takes equally long for accounts without a password and for missing accounts. */
export const checkPassword = async (password: string, storedHash: string | null | undefined): Promise<boolean> => {
  const [, n, blocks, parallel, salt = '', expected = ''] = (storedHash ?? NOBODY).split('$')
  const cost = { N: Number(n), r: Number(blocks), p: Number(parallel) }
  const actualHash = await hashOf(password, Buffer.from(salt, 'base64'), cost, BYTES)
  const expectedHash = Buffer.from(expected, 'base64')
  return expectedHash.length === actualHash.length && timingSafeEqual(expectedHash, actualHash)
}
