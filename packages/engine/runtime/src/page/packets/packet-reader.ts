import type { MediaPackets } from '../../contract/packets.ts'

/** Bytes per request. */
const BLOCK_BYTES = 1 << 20

/** Creates a reader of packets by their index in a show; each block is fetched while the block before is used. */
export const createPacketReader = (packets: MediaPackets) => {
  const starts = [packets.offset]
  const blocks: number[] = []
  for (const [index, size] of packets.sizes.entries()) {
    const start = starts[index] ?? 0
    if (index === 0 || start - (starts[blocks.at(-1) ?? 0] ?? 0) >= BLOCK_BYTES) blocks.push(index)
    starts.push(start + size)
  }
  const read = new Map<number, Promise<ArrayBuffer>>()
  const fetchBlock = async (from: number, to: number) => {
    const response = await fetch(packets.url, { headers: { range: `bytes=${from}-${to - 1}` } })
    const bytes = await response.arrayBuffer()
    if (bytes.byteLength !== to - from) throw new Error(`packets of ${packets.url} are missing`)
    return bytes
  }
  const load = (block: number): Promise<ArrayBuffer> | undefined => {
    const from = starts[blocks[block] ?? -1]
    if (from === undefined) return undefined
    const to = starts[blocks[block + 1] ?? starts.length - 1] ?? from
    const loading = read.get(block) ?? fetchBlock(from, to)
    loading.catch(() => undefined)
    read.set(block, loading)
    return loading
  }
  return async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    const after = blocks.findIndex((first) => first > index)
    const block = (after < 0 ? blocks.length : after) - 1
    for (const other of read.keys()) if (other < block || other > block + 1) read.delete(other)
    const loading = load(block)
    void load(block + 1)
    if (!loading) throw new Error(`there is no packet ${index} of ${packets.url}`)
    const start = (starts[index] ?? 0) - (starts[blocks[block] ?? 0] ?? 0)
    return new Uint8Array(await loading, start, packets.sizes[index])
  }
}
