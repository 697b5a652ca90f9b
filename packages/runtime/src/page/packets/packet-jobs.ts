import type { MediaPackets, PacketConfig } from '../../contract.ts'

/** Asks whether packets can be decoded. */
export interface PacketQuestion {
  readonly config: PacketConfig
}

/** Tells where the packets of a source lie; those of the same address before are forgotten. */
export interface PacketSupply {
  readonly packets: MediaPackets
}

/** Asks for the picture at a time stamp, and whether it is one that will only be asked for next. */
export interface PacketOrder {
  readonly url: string
  readonly tick: number
  readonly isEarly: boolean
  /** The pixels of an answer, given back to be used again. */
  readonly used?: ArrayBuffer
}

/** Forgets the packets of an address. */
export interface PacketEnd {
  readonly ended: string
}

/** What the page sends to the worker. */
export type PacketJob = PacketQuestion | PacketSupply | PacketOrder | PacketEnd

/** Opaque RGBA pixels in rows of `wide`, of which `width` belong to the picture. */
export interface PacketPicture {
  readonly pixels: ArrayBuffer
  readonly wide: number
  readonly width: number
  readonly height: number
}

/** What the worker answers to each job, in order. */
export type PacketAnswer = PacketPicture | { readonly done: boolean } | { readonly problem: string }
