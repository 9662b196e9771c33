declare module "qrcode-svg" {
  export default class QRCode {
    constructor(options: { content: string; ecl: "L" | "M" | "Q" | "H" });
    qrcode: { modules: boolean[][] };
  }
}
