// Node has WebAssembly, but its types come with the browser's, which the server does not see.

export type WasmMemory = { readonly buffer: ArrayBuffer; grow(pages: number): number }
type Wasm = {
  Memory: new (limits: { initial: number; maximum?: number }) => WasmMemory
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  Instance: new (
    module: object,
    imports: Record<string, Record<string, WasmMemory>>,
  ) => { readonly exports: Record<string, unknown> }
}

export const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
