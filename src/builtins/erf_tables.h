// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf around the centres c of equal intervals from 0: erf(c + u) = T0[i] + u (T1[i] + u (T2[i] …)), where i is the interval's number; or
// with T0 in two parts. The higher coefficients interpolate (erf(c + u) - erf(c)) / u at Chebyshev points. A table fills one or two
// registers, so a permutation replaces the load.
#pragma once

// For double, intervals of 389/1024: 2^-56. For AVX-512.
__constant double erf16_0[16] = {0x0p+0, 0x1.a2b55eaf07059p-2, 0x1.6f4d84da1d322p-1, 0x1.c933e7aec795ap-1, 0x1.efcd029a9929cp-1, 0x1.fc4cae237eef8p-1, 0x1.ff59f79ad400ep-1, 0x1.ffe9c96747f09p-1, 0x1.fffdbd65e5adp-1, 0x1.ffffd359b50a5p-1, 0x1.fffffd646e626p-1, 0x1.ffffffe28a35ap-1, 0x1.ffffffff04d55p-1, 0x1.fffffffff9b1ap-1, 0x1.ffffffffffe17p-1, 0x1.ffffffffffff9p-1};
__constant double erf16_1[16] = {0x1.20dd750429b6dp+0, 0x1.f4180ad5c1d54p-1, 0x1.445ce94a1935ep-1, 0x1.3b473952d09bfp-2, 0x1.cb3d77b98fb5ep-4, 0x1.f53b619f4d722p-6, 0x1.99e9830839086p-8, 0x1.f65f6222701e7p-11, 0x1.cd55277c18d05p-14, 0x1.3d6f7e0b728bbp-17, 0x1.4753599642816p-21, 0x1.f9cf61e346508p-26, 0x1.24d4ebd42b0adp-30, 0x1.fc1d641e87129p-36, 0x1.4a50b74bf57d5p-41, 0x1.41cb644f2fc0dp-47};
__constant double erf16_2[16] = {-0x1.cdb211680bbbcp-248, -0x1.7bf4443b67c44p-2, -0x1.ece12e7d984f1p-2, -0x1.674e6b94213ddp-2, -0x1.5cea33767baf7p-3, -0x1.dc0605166a6d1p-5, -0x1.d327df149f001p-7, -0x1.4df9890d44e87p-9, -0x1.5e81327fc8d76p-12, -0x1.0f52dbec28dddp-15, -0x1.36dd0874d40b3p-19, -0x1.08344ae96ecp-23, -0x1.4db9a7c308456p-28, -0x1.39aa04b5e4b66p-33, -0x1.b72f11b535021p-39, -0x1.ca6a6e743370ep-45};
__constant double erf16_3[16] = {-0x1.812746b0379e5p-2, -0x1.da57553840e29p-3, 0x1.0b40ed81bab53p-5, 0x1.4fcaadeb8b705p-3, 0x1.14eb018319585p-3, 0x1.039e879600184p-4, 0x1.40c50011d0b71p-6, 0x1.1319cba493a94p-8, 0x1.4fd8aa2d9c6e8p-11, 0x1.27fcb38c941b7p-14, 0x1.7c00152457977p-18, 0x1.65792f4e3f9c5p-22, 0x1.eee79217df119p-27, 0x1.f9c1592b3bf16p-32, 0x1.7e6874f64557bp-37, 0x1.aca817658e1ap-43};
__constant double erf16_4[16] = {0x1.46a42097d85f7p-238, 0x1.5766596212c24p-3, 0x1.2f34847004951p-3, 0x1.818ff9969ec36p-6, -0x1.7859edfa73651p-5, -0x1.4e7330abdb3dap-5, -0x1.1fb48850dc9fcp-6, -0x1.361bd54b6788bp-8, -0x1.c3e95cd75c4d5p-11, -0x1.ccc2e27276714p-14, -0x1.4efbd35fa2d1bp-17, -0x1.5f6d6dc7f4ab6p-21, -0x1.0c1a780dfe292p-25, -0x1.2b2362e8a868dp-30, -0x1.ea2581ee1279cp-36, -0x1.27c5f85ef42p-41};
__constant double erf16_5[16] = {0x1.ce2f21a041554p-4, 0x1.687c9722b1cb5p-5, -0x1.c0c2850be165dp-5, -0x1.ead4c80aefe38p-5, -0x1.9e33c979304abp-7, 0x1.8953ffb57dc53p-7, 0x1.4c2696ebf67a6p-7, 0x1.eea5bbc3da55ep-9, 0x1.c099e1ce803a5p-11, 0x1.0eaa5acf4e884p-13, 0x1.c404a50495de9p-17, 0x1.0ae46a59ad3b1p-20, 0x1.c3c07f2574725p-25, 0x1.147dd9acc3869p-29, 0x1.ecaca933b8c63p-35, 0x1.4100c31b747fdp-40};
__constant double erf16_6[16] = {-0x1.ee529f92987a6p-231, -0x1.9bf0d0ca26bfcp-5, -0x1.a3893e81bfe6ap-6, 0x1.0e199a9df4333p-6, 0x1.319e9c76b26dbp-6, 0x1.aedcd01e5f66ap-9, -0x1.8ba7df9e32751p-9, -0x1.110f8f84be757p-9, -0x1.4deeb8e857f6cp-11, -0x1.ee0ea739e8ecfp-14, -0x1.e30cfeadf0ddbp-17, -0x1.44e5efc9a5fbdp-20, -0x1.337a7cc5fd45ep-24, -0x1.9f43927829664p-29, -0x1.9406d82e37a57p-34, -0x1.1d23edad097ddp-39};
__constant double erf16_7[16] = {-0x1.b82ce30da64c9p-6, -0x1.48f3a4803eaep-8, 0x1.30c42ec430e9p-6, 0x1.238fc8d692d44p-7, -0x1.4d807fc02c488p-8, -0x1.303621593c074p-8, -0x1.d5606093c0608p-12, 0x1.66c18b2e0cf52p-11, 0x1.6e4a3dfa92a72p-12, 0x1.61ba3144e47f8p-14, 0x1.a0ab85a4d108ap-17, 0x1.445b17ecfbc56p-20, 0x1.5ab26e2151766p-24, 0x1.040d3b5e68574p-28, 0x1.15a3cc26a1038p-33, 0x1.aa0388b9ed6e9p-39};
__constant double erf16_8[16] = {0x1.1f9994e76a83p-224, 0x1.70b657364b271p-7, 0x1.001a666fd9e23p-9, -0x1.8da7333a71475p-8, -0x1.0e8941c1b61d7p-9, 0x1.892b0cfba3c73p-10, 0x1.d8dd5ec5fb852p-11, -0x1.1c9dd4cd774a8p-17, -0x1.0e5c807f0c6f9p-13, -0x1.88f2c1bfae533p-15, -0x1.2434141ee920dp-17, -0x1.0d39f17215e72p-20, -0x1.4939b01bf690ap-24, -0x1.1493164f676d2p-28, -0x1.45dd64688448bp-33, -0x1.10e69c7010934p-38};
__constant double erf16_9[16] = {0x1.565bc5ccd6134p-8, 0x1.b5edb4210b027p-16, -0x1.02a90471525dap-8, -0x1.95ad4bfae5349p-13, 0x1.ba189caa6eb48p-10, 0x1.1a9f9514459c9p-12, -0x1.83c10c889a77cp-12, -0x1.0c8557924e08ap-13, 0x1.412215179f14bp-16, 0x1.41f9e04a3d1a7p-16, 0x1.4b4f085778493p-18, 0x1.75deb13497432p-21, 0x1.0a191f27f778ap-24, 0x1.f9e9baf75c814p-29, 0x1.4b22c9d231895p-33, 0x1.3024791fa1259p-38};
__constant double erf16_10[16] = {-0x1.14df83cda8b8bp-219, -0x1.066e19cd66badp-9, 0x1.0881949ff6863p-12, 0x1.26523e9ff315bp-10, -0x1.312b6641e5304p-13, -0x1.82f56688cf846p-12, 0x1.13ad80329f61fp-17, 0x1.23f5cae720a7ep-14, 0x1.7ab6d88331664p-17, -0x1.41d3ac196db84p-18, -0x1.27ab1581f8e7ap-19, -0x1.b174c3cfdd6d2p-22, -0x1.701280a59ba9fp-25, -0x1.91226fad4ea49p-29, -0x1.25ff6ff0a3676p-33, -0x1.299f20ffaf8ecp-38};
__constant double erf16_11[16] = {-0x1.c023378ff8093p-11, 0x1.1904272601884p-13, 0x1.40503b2facb74p-11, -0x1.a570b0acf61eep-13, -0x1.ee66cb68d3ca7p-13, 0x1.5d7e417618392p-14, 0x1.df074da2a5f2cp-15, -0x1.aa2274be8840dp-17, -0x1.3a5a02811c16ep-17, -0x1.56e18d80d3032p-23, 0x1.7f2022c83cf8cp-21, 0x1.9df7b9900e5dbp-23, 0x1.b41133079a47ep-26, 0x1.1581647ada997p-29, 0x1.cc7cb2be0e9fbp-34, 0x1.02ceb005590eap-38};
__constant double erf16_12[16] = {0x1.757fc94b649e1p-216, 0x1.30b94a0ed85d9p-12, -0x1.d9a04704af932p-14, -0x1.127c04f389fcp-13, 0x1.502c502772291p-14, 0x1.f29191fbee6d9p-16, -0x1.7ae662d771eb3p-16, -0x1.502a54cdf4f7fp-18, 0x1.91b2a2f162485p-19, 0x1.bc900f897793p-21, -0x1.ea63c6d714d7dp-24, -0x1.3af4952f19e35p-24, -0x1.beea95a4f5d1ep-27, -0x1.58d4e27b0afb3p-30, -0x1.4bf9256f70996p-34, -0x1.a69be8bf9e04ap-39};
__constant double erf16_13[16] = {0x1.f25a86c234b4bp-14, -0x1.28f60cd99fd77p-15, -0x1.2d776b379f43p-14, 0x1.a8487208c376p-15, 0x1.de3e8d7cd71edp-17, -0x1.51d0dd08ad8cap-16, -0x1.f09d2e074973dp-24, 0x1.fb6708c21fbeep-19, -0x1.55e3cabf080c7p-24, -0x1.b45e8f9b4a18fp-22, -0x1.1c90be1b4f8e5p-25, 0x1.519cc2b26c1c4p-26, 0x1.76119e0bc8b29p-28, 0x1.68461b09e3876p-31, 0x1.94aeea2b3cf15p-35, 0x1.22c9e3ef3c8bp-39};
__constant double erf16_low[16] = {0x0p+0, 0x1.01a7c87ff44bdp-57, 0x1.10d644d8c1ef6p-57, 0x1.e10cfd84b662bp-56, -0x1.c10ad6e590c3p-55, -0x1.08ae68221d5d6p-55, 0x1.9402867c1a8a6p-55, -0x1.21927ce750663p-57, -0x1.b27e3ee1e3ec9p-55, -0x1.985f1cbea2c1p-55, 0x1.87bd1c7aa862ep-55, 0x1.d44cff709961bp-57, -0x1.a855d9c220d9fp-55, 0x1.9588c0617ea85p-56, 0x1.f1eeec769f9cfp-55, 0x1.70479efb41f26p-58};
#define ERF16(i) erf16_1[i], erf16_2[i], erf16_3[i], erf16_4[i], erf16_5[i], erf16_6[i], erf16_7[i], erf16_8[i], erf16_9[i], erf16_10[i], erf16_11[i], erf16_12[i], erf16_13[i]
// For double, intervals of 2: 2^-55. For AVX2.
__constant double erf4_0[4] = {0x0p+0, 0x1.fd9ae142795e3p-1, 0x1.ffffff7b91176p-1, 0x1p+0};
__constant double erf4_1[4] = {0x1.20dd750429b6dp+0, 0x1.529b9e8cf9a1ep-6, 0x1.10b1488aeb1dfp-23, 0x1.2dc1190b92d0cp-52};
__constant double erf4_2[4] = {-0x1.def76655e0437p-250, -0x1.529b9e8cf9a1ep-5, -0x1.10b1488aeb22cp-21, -0x1.c4a1a58e4c732p-50};
__constant double erf4_3[4] = {-0x1.812746b0379cp-2, 0x1.8b0ae3a47893bp-5, 0x1.603a5308c5cf1p-20, 0x1.be584a35a6da1p-48};
__constant double erf4_4[4] = {0x1.fc4c344d8a6fap-242, -0x1.1a2c59757ab25p-5, -0x1.4980e25286f2fp-19, -0x1.45542ef8e3da7p-46};
__constant double erf4_5[4] = {0x1.ce2f21a040f58p-4, 0x1.ace7404c2a069p-7, 0x1.da5f10dc41b8p-19, 0x1.75a81cef2cacdp-45};
__constant double erf4_6[4] = {-0x1.d1d9750662bb3p-237, 0x1.e1935ea66f133p-12, -0x1.10505376ccc0ap-18, -0x1.5ff7d4d7f2125p-44};
__constant double erf4_7[4] = {-0x1.b82ce312033c8p-6, -0x1.bae0ab9d3e85cp-9, 0x1.fd7c656eb6416p-19, 0x1.1772059228a72p-43};
__constant double erf4_8[4] = {0x1.6500e4a301c7ap-233, 0x1.a11434420ba48p-10, -0x1.88c7af5f99c88p-19, -0x1.7d751140d0391p-43};
__constant double erf4_9[4] = {0x1.565bccfa3c3f9p-8, -0x1.a46c577923531p-15, 0x1.f424658fef0cdp-20, 0x1.c64616c8f7337p-43};
__constant double erf4_10[4] = {-0x1.272ec6cc0f10dp-230, -0x1.13917bccf9bb4p-12, -0x1.047568442b7efp-20, -0x1.dd504009e1fcp-43};
__constant double erf4_11[4] = {-0x1.c02db06526d99p-11, 0x1.b339938fb06dcp-14, 0x1.ae5501bea8e26p-22, 0x1.be5db86c1b435p-43};
__constant double erf4_12[4] = {0x1.26ea9ca6b5a7dp-228, 0x1.5efa520db0563p-18, -0x1.02119251a0c51p-23, -0x1.760c3023659dbp-43};
__constant double erf4_13[4] = {0x1.f9a2be3168ff5p-14, -0x1.1082a0f955bbep-16, 0x1.2b7bec8197e9p-26, 0x1.1a56e6fe70ab6p-43};
__constant double erf4_14[4] = {-0x1.7906ba4c3e334p-227, 0x1.09286d51a8319p-18, 0x1.9474e6ddf585cp-28, -0x1.815a12ebb6a7ap-44};
__constant double erf4_15[4] = {-0x1.f4ca81b029ff4p-17, 0x1.0103689880d47p-20, -0x1.6c01c99a5e6ap-28, 0x1.dc9b193006839p-45};
__constant double erf4_16[4] = {0x1.3bd688e3b884ep-226, -0x1.77ff09cb7ef5dp-21, 0x1.0da3163e7746ep-29, -0x1.0b911f8320562p-45};
__constant double erf4_17[4] = {0x1.b981c4c445d18p-20, 0x1.fb781f13fd62p-25, -0x1.753990819bed7p-32, 0x1.110705c5bf61fp-46};
__constant double erf4_18[4] = {-0x1.597081440f935p-226, 0x1.024c5666abd74p-24, -0x1.ddbb5b4332759p-35, -0x1.f801965a64734p-48};
__constant double erf4_19[4] = {-0x1.5c129f62ad05bp-23, -0x1.3c72d645dcf94p-26, 0x1.f60ddb3de3e96p-35, 0x1.9ff813d2d3618p-49};
__constant double erf4_20[4] = {0x1.db5f8d89add3dp-227, -0x1.193d0245ff89ep-29, -0x1.37379ae5dde49p-36, -0x1.34a4e7ad4e897p-50};
__constant double erf4_21[4] = {0x1.d767b7a82d674p-27, 0x1.1030b000a1bfcp-29, 0x1.64e9a2c8799cbp-40, 0x1.a72b39d4e3768p-52};
__constant double erf4_22[4] = {-0x1.75aac4d7bbb97p-228, -0x1.5f9412fa7778ep-33, 0x1.3158c60039d7ep-40, -0x1.ee9706df2b90fp-54};
__constant double erf4_23[4] = {-0x1.ac8ba30f5872ep-31, -0x1.d99969dfec49ap-34, -0x1.9b73484e2f1eep-42, 0x1.6352cf6e87e78p-56};
__constant double erf4_24[4] = {0x1.ffd889d5ef52dp-231, 0x1.7a5954fe3ebdfp-36, 0x1.dd49ed72ff14p-46, -0x1.0bd40de96948bp-60};
#define ERF4(i) erf4_0[i], erf4_1[i], erf4_2[i], erf4_3[i], erf4_4[i], erf4_5[i], erf4_6[i], erf4_7[i], erf4_8[i], erf4_9[i], erf4_10[i], erf4_11[i], erf4_12[i], erf4_13[i], erf4_14[i], erf4_15[i], erf4_16[i], erf4_17[i], erf4_18[i], erf4_19[i], erf4_20[i], erf4_21[i], erf4_22[i], erf4_23[i], erf4_24[i]
// For float, intervals of 1/4: 2^-28. For AVX-512.
__constant float erff16_0[16] = {0x0p+0f, 0x1.1af54ep-2f, 0x1.0a7ef6p-1f, 0x1.6c1c98p-1f, 0x1.af767ap-1f, 0x1.d8865ep-1f, 0x1.eea556p-1f, 0x1.f92d08p-1f, 0x1.fd9ae2p-1f, 0x1.ff4048p-1f, 0x1.ffcaa8p-1f, 0x1.fff2dp-1f, 0x1.fffd1ap-1f, 0x1.ffff7p-1f, 0x1.ffffe8p-1f, 0x1.fffffcp-1f};
__constant float erff16_1[16] = {0x1.20dd74p+0f, 0x1.0f5d16p+0f, 0x1.c1efcap-1f, 0x1.492e42p-1f, 0x1.a911fp-2f, 0x1.e4653p-3f, 0x1.e72372p-4f, 0x1.b0553p-5f, 0x1.529b9ep-6f, 0x1.d4143ap-8f, 0x1.1d8318p-9f, 0x1.3360dp-11f, 0x1.2408fp-13f, 0x1.e9b6p-16f, 0x1.6a599p-18f, 0x1.d93764p-21f};
__constant float erff16_2[16] = {-0x0p+0f, -0x1.0f5d16p-2f, -0x1.c1efcap-2f, -0x1.edc564p-2f, -0x1.a911fp-2f, -0x1.2ebf3ep-2f, -0x1.6d5a96p-3f, -0x1.7a4a8ap-4f, -0x1.529b9ep-5f, -0x1.074b6p-6f, -0x1.64e3dcp-8f, -0x1.a6a51ap-10f, -0x1.b60d6p-12f, -0x1.8de3dp-14f, -0x1.3d0e48p-16f, -0x1.bba3b8p-19f};
__constant float erff16_3[16] = {-0x1.81265p-2f, -0x1.3c96bp-2f, -0x1.2bf594p-3f, 0x1.b6ddc6p-6f, 0x1.1b6034p-3f, 0x1.571cbep-3f, 0x1.1c2a5ap-3f, 0x1.7149a2p-4f, 0x1.8b0bdcp-5f, 0x1.63efc6p-6f, 0x1.119d02p-7f, 0x1.69cc4ep-9f, 0x1.9db016p-11f, 0x1.9a97f6p-13f, 0x1.62bba6p-15f, 0x1.0b571cp-17f};
__constant float erff16_4[16] = {0x0p+0f, 0x1.040dd8p-3f, 0x1.76f1c6p-3f, 0x1.349b34p-3f, 0x1.1b61fap-4f, -0x1.939c9p-8f, -0x1.6d59e8p-5f, -0x1.8a0ddap-5f, -0x1.1a2ccep-5f, -0x1.38aa16p-6f, -0x1.1a8a06p-7f, -0x1.ab0bcp-9f, -0x1.11c71ep-10f, -0x1.2c7a5cp-12f, -0x1.1c026p-14f, -0x1.d06224p-17f};
__constant float erff16_5[16] = {0x1.cb9cfcp-4f, 0x1.465996p-4f, 0x1.e82d9ep-8f, -0x1.b0a336p-5f, -0x1.19ed98p-4f, -0x1.81cecap-5f, -0x1.eac242p-7f, 0x1.a8d9a6p-8f, 0x1.aa4ea2p-7f, 0x1.5cb5fap-7f, 0x1.91bbacp-8f, 0x1.6b30c4p-9f, 0x1.0ce226p-10f, 0x1.4d3adep-12f, 0x1.5e2b3cp-14f, 0x1.3aa83ap-16f};
__constant float erff16_6[16] = {-0x0p+0f, -0x1.4a3014p-5f, -0x1.9804ap-5f, -0x1.b764d6p-6f, 0x1.26f752p-8f, 0x1.5ad12cp-6f, 0x1.3bbb6p-6f, 0x1.264182p-7f, 0x1.04491ap-11f, -0x1.799c06p-9f, -0x1.6dff9ep-9f, -0x1.b2ffdep-10f, -0x1.849966p-11f, -0x1.16567p-12f, -0x1.4975a2p-14f, -0x1.47bccp-16f};
#define ERFF16(i) erff16_0[i], erff16_1[i], erff16_2[i], erff16_3[i], erff16_4[i], erff16_5[i], erff16_6[i]
// For float, intervals of 1/2: 2^-29. For AVX2.
__constant float erff8_0[8] = {0x0p+0f, 0x1.0a7ef6p-1f, 0x1.af767ap-1f, 0x1.eea556p-1f, 0x1.fd9ae2p-1f, 0x1.ffcaa8p-1f, 0x1.fffd1ap-1f, 0x1.ffffe8p-1f};
__constant float erff8_1[8] = {0x1.20dd76p+0f, 0x1.c1efcap-1f, 0x1.a911fp-2f, 0x1.e72372p-4f, 0x1.529b9ep-6f, 0x1.1d8318p-9f, 0x1.2408eap-13f, 0x1.6a5972p-18f};
__constant float erff8_2[8] = {-0x0p+0f, -0x1.c1efb8p-2f, -0x1.a911f8p-2f, -0x1.6d5a9ep-3f, -0x1.529b88p-5f, -0x1.64e3bep-8f, -0x1.b60e52p-12f, -0x1.3d1242p-16f};
__constant float erff8_3[8] = {-0x1.81273ep-2f, -0x1.2bf53ap-3f, 0x1.1b6144p-3f, 0x1.1c2a08p-3f, 0x1.8b0ae4p-5f, 0x1.119d92p-7f, 0x1.9db756p-11f, 0x1.62cdccp-15f};
__constant float erff8_4[8] = {0x0p+0f, 0x1.76e0c4p-3f, 0x1.1b71fap-4f, -0x1.6d4994p-5f, -0x1.1a3792p-5f, -0x1.1a916ep-7f, -0x1.11a9ccp-10f, -0x1.1b87f2p-14f};
__constant float erff8_5[8] = {0x1.ce1cb6p-4f, 0x1.e0683p-8f, -0x1.1b5a9p-4f, -0x1.e753cp-7f, 0x1.ace864p-7f, 0x1.90f666p-8f, 0x1.0a7864p-10f, 0x1.58333ep-14f};
__constant float erff8_6[8] = {-0x0p+0f, -0x1.910bfep-5f, 0x1.0cb3eap-8f, 0x1.38649ap-6f, 0x1.4addbp-11f, -0x1.6afa92p-9f, -0x1.8a9afcp-11f, -0x1.55f7c8p-14f};
__constant float erff8_7[8] = {-0x1.aeee4p-6f, 0x1.52f8dcp-8f, 0x1.e9db34p-7f, -0x1.2ab962p-8f, -0x1.bb7b32p-9f, 0x1.0e0c5ep-11f, 0x1.9b0aecp-12f, 0x1.f64164p-15f};
#define ERFF8(i) erff8_0[i], erff8_1[i], erff8_2[i], erff8_3[i], erff8_4[i], erff8_5[i], erff8_6[i], erff8_7[i]
