import { Writable } from 'node:stream'

/** Gives stdout to a protocol alone: what else is written to it, as by a config, goes to stderr from now on. */
export const takeStdout = ({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'> = process): Writable => {
  const write = stdout.write.bind(stdout)
  const protocol = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => void write(chunk, done),
  })
  stdout.on('error', (error) => protocol.destroy(error))
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return protocol
}
