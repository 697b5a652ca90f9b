import type { MediaPackets, PacketConfig } from '../../contract/packets.ts'

/** Asks whether packets can be decoded. */
export interface PacketQuestion {
  readonly config: PacketConfig
}

/** Sets the packets of a source; earlier ones with the same URL are forgotten. */
export interface PacketSupply {
  readonly packets: MediaPackets
}

/** Asks for the picture with a timestamp. */
export interface PacketOrder {
  readonly url: string
  readonly tick: number
  /** True when the picture is to be decoded ahead, for a later order. */
  readonly isEarly: boolean
  /** The pixel buffer of an earlier answer, which can be used again. */
  readonly recycled?: ArrayBuffer
}

/** Forgets the packets of a source. */
export interface PacketEnd {
  readonly endedUrl: string
}

/** A message from the page to the worker. */
export type PacketJob = PacketQuestion | PacketSupply | PacketOrder | PacketEnd

/** Opaque RGBA pixels in rows of `stride` pixels, of which `width` belong to the picture. */
export interface PacketPicture {
  readonly pixels: ArrayBuffer
  readonly stride: number
  readonly width: number
  readonly height: number
}

/** The worker's reply to each job, in order. */
export type PacketAnswer = PacketPicture | { readonly done: boolean } | { readonly problem: string }
