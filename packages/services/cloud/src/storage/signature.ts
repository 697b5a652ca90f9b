import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs texts that hold no line break. */
export const signatureOf = (secret: string, parts: readonly string[]): Buffer =>
  createHmac('sha256', secret).update(parts.join('\n')).digest()

/** Whether a signature in base64url is that of the texts. */
export const isSignedWith = (secret: string, parts: readonly string[], signature: string): boolean => {
  const expectedSignature = signatureOf(secret, parts)
  const bytes = Buffer.from(signature, 'base64url')
  return bytes.length === expectedSignature.length && timingSafeEqual(bytes, expectedSignature)
}
