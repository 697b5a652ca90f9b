/** Encoded packets of a source that the page decodes itself: in decoding order, one after the other in a file. */
export interface MediaPackets {
  readonly url: string
  readonly config: PacketConfig
  /** Index of the first packet within the file, which identifies packets across two shows. */
  readonly first: number
  /** Byte at which the first packet begins. */
  readonly offset: number
  /** Bytes of each packet. */
  readonly sizes: readonly number[]
  /** Timestamp of the frame in each packet, in ticks. */
  readonly ticks: readonly number[]
  /** Indexes of key frames, from which decoding can begin. */
  readonly keys: readonly number[]
  /** For each frame of the composition, the timestamp of the picture that it shows. */
  readonly shown: readonly number[]
  readonly share?: PictureShare
}

/** Decoded pictures that two pages of one origin both show: the provider decodes them, the consumer takes copies. */
export interface PictureShare {
  /** Name of a broadcast channel that only these two pages use. */
  readonly channel: string
  readonly role: 'provider' | 'consumer'
  /** Timestamps of the shared pictures. */
  readonly ticks: readonly number[]
}

/** The settings of a packet decoder. */
export interface PacketConfig {
  /** Its WebCodecs name. */
  readonly codec: string
  readonly matrix: 'bt709' | 'smpte170m' | 'bt470bg'
  readonly fullRange: boolean
}
