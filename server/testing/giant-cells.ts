import { gunzipSync } from 'node:zlib'

// Files of 40 rows with a cell of 12 MB, always the same: `SELECT toString(number) AS id,
// repeat(repeat('x', 1000), 12000) AS city FROM numbers(40)`. Writing one takes the engine a gigabyte, so they are kept here.

const PLAIN =
  'H4sIAAAAAAACA+3bb0wbZRwH8Oe5Hi1Kh+3Mc2m3S3g0UoqHWP7soMKLsk1HsDUV0SOREeifpdVusLFBNcN0Bo2SbsGwP2jYdnQ4McHN+CeShZA6K4' +
  'FJAi+YqZFFZIssxrhuQ4Ia1LvqML7bG3nePE2ey3N3vbvnPvnmyV2bn7uqtgixaEqDUhCdTxy6sqESuREAwPrpo6ts/XYNuPi4PqvH5U19Z+zoCPTm' +
  'v589U/TarGFg42NnezY9GO06kj/4euYC7rxecfrXSzvGfhvPG0tl8MDBzh0aj2SOaA5D47zBpHFF+HLtO8Deqi+F+z5/wLbWnzcFmGuec0wGBOBc23' +
  'tWBJADNaGPLn8zrOOVoRiQFmn5emg3QZvRuDYwAIE2y4H125v56liB82ql+yFXnX9n/dndDYudTdYjvuAp5YSPDNzqtSQ0PNKbc4HBbGKCPqTn3NwK' +
  'y41qLDHGkvnvmZ1cVDkCKNePL3w/qUHdNyBKnYh+q1VHAdKjWLt6SOmAzZ+BMAQrf9pnGAYYwrT9/y0KgC2chmfAkk8W4k9kJ6kLGf/UJJaYrzQidV' +
  'l/+58KZWFrHc0+Kf/rvVjStutC1GX97a+VJ9GCjdqT8p/fiaV736JzDwn7OSaJzpTR7JPyT+ZhKXuYZp+E/Sw79urUYmQDdSHjP7NXFt7cRrNPyn/q' +
  'aywdTdD3LRL2ExWykPU0zT4p/4SMpb4W+txDwj6eIQuHG2n2SfmPvoCl/m7qT8J+5L7kMZ1I5x1S/p+UYkl+l2afhP2H97ycWzwNN1MXMv7Dr8hCrY' +
  'Nmn5T/0FUsWX6m+SdhP1gtC7Mumn1S/vIHWHo4SJ97SNj3b5SF556n2Sfl39eBpcIu6k/C/iifRKFSOu+Q8u+pwlLxaZp9EvZRbar7+En6+z4p/zey' +
  'sCReoNkn5d+VwtLI7/T/XRL2kWdl4WQNzT4p/4MXsDTqoc89JOzDObKQU0+zT8p/fxeW4p00+yTsW/OTx2aKqT0p/9BTWEr00bmHhH3g/tSliX76vk' +
  'XK32fC0sTHNPuk/JtWsVSDmjTUZf3tGzyysGsHzf66ti9hGAJwuXyvw/LjbajWBCNgNrHe4P6X0kXBf6hlv9zEDWiJsZXAyUXiX/Tq1IrgCOR5AO40' +
  'sPXtxlMnwlJF0a3poT3TQt6Vg9G59oKlZTTpOr8weGbV6jfk3LRezNYNhWsDzlatYfbJBm2dyzs8EBp4Bt4MIMd/Tqd8IumWqXYZANj0NmVpSO8zGx' +
  'mzCdqUZkcAmHkuxqAY5MDffRYpA1ZXEGuurNa2eQP+3c2IBUifC9Ry51zgVC+SXk3f6j8bOLeZNxfcbW20ZXwJIhny6RJpbn4ZIhOXUJY8uBtKyw+/' +
  'QNTI3wHlVpQjNwFueVH9ktuSyXXdhsBasy0U9L5Y3XKgzY/b/fvagi17cLFYWFZYjK2eA8GQDzeLRVvEEluJb5e4xVtiK/P4POUeUfTb/XavV9lTVl' +
  'IqNoue8nxzgYqr3rYyXHdVbdFf6j7oEeY+AAA='

const DICTIONARY =
  'H4sIAAAAAAACAwtwDDIUZRE9wyz6gVF0/ZHGu7w2ogGiDAwMGlv1/7JEuDAzHHLl4Z7gm/zhvmB5ecZkzZV8FwxbrwgsFLJaNkFKqaelT3NJG8cjhd' +
  'oX1vN/nnLf9+uY+r4PrDIMDix3Go81cOxg7mUUfCAgwezbIGPBNovBsoDHhLHooKIBnP1AIoPpSdI6JlZGBoZ1xcs1RBlEHUQTRDddvbmGXQboFAFR' +
  'NlE2mQhGSwlGA0FBuMMYGBnYuB0UeFwSZTwW6fg8tglQ8Q1JjY1YlhvzvDZBoy8lcx7QQN2FnyarHWGWEeWRVGUQkJRgykwR5RELEPvBIraHWW0Rkx' +
  'oHwmQfsR6gDgZgYHS82cEtOolN9Mf+1/u4bUSZEMGRA2QwSG9nqGBk+PHf8gITE4NAxSimPVa6wQEMcobHwQcmAtMHm6ia6KYH86cyI9IHPIYkGBgY' +
  'A4CJg+FAKssDtV3c8KhnSc4sqQRH/jtg9IrNYFd7xKW2iEUGGO8NDx6eZAZFfQOjDNAkGGZwmhk3b3pFuLXhp/Mr8s5rq9+t6blTpvPlm+hJ3/WPli' +
  'z+q5EqIP9R4xAf+4qKoAyfAjaBK94xbCG+yWsW5iwMZvyYIeqAYhwQNIAxB4jJxMDAAhYDkgJgOUlBJklgUgRiS2CKk5QRW8QkuohRjAHMfsQlGiEG' +
  'Tp6SNh5sxckZqbmJoiwMojyqDKBUrcrgA7ICzAX7FCogFiApI6lDbBZQm8EjuoBRBpwRxDbxiUqITeMTlWEgKhjVdvCKxsnAwlLsFJ+oGIPYs49ANQ' +
  'FqHGJXuBg0vJxzMpOzPfJLi1MVylKLijPz8xSMzPTM9YwUNJJKM3NSFBLNDE3NjA2MU9LMTJONDcyTUpIskszMUi1TLZOTgTLmxiZmiWZJFpqSOqBA' +
  'BfqPH+jSAGARBgDpqlu/xwQAAA=='

const WIDE =
  'H4sIAAAAAAACAwtwDDIUZRE9wyz6gVF0/ZHGu7w2ogGiDAwMGlv1/7JEuDAzHHLl4Z7gm/zhvmB5ecZkzZV8FwxbrwgsFLJaNkFKqaelT3NJG8cjhd' +
  'oX1vN/nnLf9+uY+r4PrDIMDix3Go81cOxg7mUUfCAgwezbIGPBNovBsoDHhLHooKIBnP1AIoPpSdI6JlZGBoZ1xcs1RBlEHUQTRDddvbmGXQboFAFR' +
  'NlE2mQhGSwlGA0FBuMMYGBnYuB0UeFwSZTwW6fg8tglQ8Q1JjY1YlhvzvDZBoy8lcx7QQN2FnyarHWGWEeWRVGUQkJRgykwR5RELEPvBIraHWW0Rkx' +
  'oHwmQfsR6gDgZgYHS82cEtOolN9Mf+1/u4bUSZEMGRA2QwSG9nqGBk+PHf8gITE4NAxSimPVa6wQEMcobHwQcmAtMHm6ia6KYH86cyI9IHPIYkGBgY' +
  'A4CJg+FAKssDtV3ciKhPNgBH/Ttg5IrNYFd7xKW2iEUGGOsNDx6eZB6N+OEV8WuEkSLeECXirwipTeEZjfhhGvHzpJEi3ggl4o9JqbWJjEb8MI34Cc' +
  'pIEW+MEvE7lNR+SI9G/DCN+CZtpIg3QYn4VVpqr5RRIr6BUQZoDgwzOM2Mmze9Itza8NP5FXnntdXv1vTcKdP58k30pO/6R0sW/9VIFZD/qHGIj31F' +
  'RVCGTwGbwBXvGLYQ3+Q1C3MWBjN+zBB1QDEOCBrAmAPEZGJgYAGLAUkBsNxQVi4pyCQJbCgDsSUwr0jKiC1iEl3EKMYAZj/iEo2AMq8IwZnHpODMHU' +
  'pw5iotCFOURbLGg604OSM1N1GUh0GUR5UB1D5XZfABOQfCTTZA5Rqico1QucaoXBMoVyxAUkYyh9hugNodbdEFjDLgzoDYOwNRCbFLBqIyDEQ0JdX+' +
  '6IjGycDSmliboagYAxENEbVbusja5oC1Ea7G1HboIWvbBNZGuBBUm6aPrO0EWBvhLKT2BUXbPZA2sXlL51iKBahxiG1RZ9Dwcs7JTM72yC8tTlUoSy' +
  '0qzszPUzAy0zPXM1LQSCrNzElRSDQzNDUzNjBOSTMzTTY2ME9KSbJIMjNLtUy1TE4Gypgbm5glmiVZaErmgBIlKmLQBybJAGBnFQDIPaTisQ4AAA=='

const LIST =
  'H4sIAAAAAAACAwtwDDIUZRHlEtUSvX3u6iJWG1EmUQYGBo2t+n9ZIjQYGBiBHEMgsYgrSkWUQZRNVE2078mvc3wyQHUCQC6bTASjoQSjoaAgXJcEUB' +
  'cTSKPklBlJagcYZUR5JFUZBCQlmDJTRHnEmMQqxHYwqkWocSC0+ogxAbUD3dHxZge36CQ20R/7X+/jRnFLDpDBIL2doYKR4cd/ywtMTAwCFaOY9ljp' +
  'BgcwyBkeBx+YCIx/JVEn0W+Ld2zilRENgMY/PIY6GBhYgBzmfw6MoNgMYGQMAKWCmbILotTOcIJSgSkbMBlYsORkFpeACfbUnNTc1LwSYKoIEOt6u4' +
  'NbbAu72g0OtRlMMsAk0fDg4UlmSTUmP0k1hgBQ8nCQAVoGwyDAwgimBBgcIHwHIBMIOMBsTOUNYAyWZYK4FUyC9TRICjJJAhMjCAMTnaSMWIRohhgD' +
  'mHWDQ7REDJw+JWM82IqTM1JzE0VZGER5VBlAaVqVwQdkgSmDBNhTwETL5mMDEmCBCUCUwnwLVS/GJCkjqUNc/lC7xiUaJwPKJGLreERFxCbxiMowkB' +
  'Goalu4QeaghazYIR5RMQaxpndAtUxqHGJvOBg0vJxzMpOzPfJLi1MVylKLijPz8xSMzPTM9YwUNJJKM3NSFBLNDE3NjA2MU9LMTJONDcyTUpIskszM' +
  'Ui1TLZOTgTLmxiZmiWZJFpqSOqA4AEUJMLoCgOUNAFT8MB10BAAA'

const parquet = (packed: string) => gunzipSync(Buffer.from(packed, 'base64'))

/** 16 KB. Holds 480 MB of plain values, and its footer says so. */
export const plainGiant = () => parquet(PLAIN)
/** 1 KB. Written with a dictionary of one value, so its footer says 12 MB. */
export const dictionaryGiant = () => parquet(DICTIONARY)
/** The same with five such columns, `c0` to `c4`; a preview takes a second or more. */
export const slowGiant = () => parquet(WIDE)
/** One row, whose only cell besides the id is a list of all forty. */
export const listGiant = () => parquet(LIST)
