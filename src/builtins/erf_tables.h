// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf near the centres c of equal intervals from 0 on: erf(c + u) = T0[i] + u (T1[i] + u (T2[i] …)), i the interval's number. The higher coefficients
// interpolate (erf(c + u) - erf(c)) / u at Chebyshev's points. A table is a register's length or two, so that it is permuted, not read.
#pragma once

// Of double, intervals of 3/8: 2^-56. For AVX-512.
__constant double erf16_0[16] = {0x0p+0, 0x1.9dd0d2b721f39p-2, 0x1.6c1c9759d0e5fp-1, 0x1.c6dad2829ec62p-1, 0x1.eea5557137aep-1, 0x1.fbe61eef4cf6ap-1, 0x1.ff404760319b4p-1, 0x1.ffe514bbdc197p-1, 0x1.fffd1ac4135f9p-1, 0x1.ffffc316d9edp-1, 0x1.fffffc2f171e3p-1, 0x1.ffffffd169d0cp-1, 0x1.fffffffe4fa3p-1, 0x1.fffffffff4188p-1, 0x1.ffffffffffc05p-1, 0x1.ffffffffffffp-1};
__constant double erf16_1[16] = {0x1.20dd750429b6dp+0, 0x1.f5f0cdaf15313p-1, 0x1.492e42d78d2c5p-1, 0x1.45e99bcbb7915p-2, 0x1.e723726b824a9p-4, 0x1.12ceb37ff9bc3p-5, 0x1.d4143a9dfe965p-8, 0x1.2ce898809244ep-10, 0x1.2408e9ba3327fp-13, 0x1.abe09e9144b5ep-17, 0x1.d9371e2ff7c35p-21, 0x1.8b0cfce0579ep-25, 0x1.f1e3523b41d7dp-30, 0x1.d9a880f306bd8p-35, 0x1.5422ef5d8949dp-40, 0x1.70beaf9c7ffb6p-46};
__constant double erf16_2[16] = {-0x1.6f00e71361d7cp-255, -0x1.78749a434fe4ap-2, -0x1.edc5644353c29p-2, -0x1.6ea6cf452e839p-2, -0x1.6d5a95d0a1b7cp-3, -0x1.01a1c847fa208p-4, -0x1.074b60f8df34fp-6, -0x1.8af14828bff9ep-9, -0x1.b60d5e974cb8cp-12, -0x1.690585ca91fdep-15, -0x1.bba3ac4cf86dp-19, -0x1.976564c75a50fp-23, -0x1.180fde4153117p-27, -0x1.20a2ae940c1d4p-32, -0x1.be6dda2a7ae43p-38, -0x1.0346137981d69p-43};
__constant double erf16_3[16] = {-0x1.812746b0379e5p-2, -0x1.e106c51d1ef9ep-3, 0x1.b6e8591f66e4fp-6, 0x1.4cb3cf0aa0b9dp-3, 0x1.1c2a02beb6ab8p-3, 0x1.143d1c6f4f092p-4, 0x1.63ef61e824426p-6, 0x1.407fbd18f1203p-8, 0x1.9db74b1d1dcd5p-11, 0x1.84522fe8815b3p-14, 0x1.0b6a7b0f1b5b8p-17, 0x1.0fdac559b6fd9p-21, 0x1.99b8665618a6p-26, 0x1.cb2a2e563f82bp-31, 0x1.7f8a0f3e1af96p-36, 0x1.de74c0dc15b99p-42};
__constant double erf16_4[16] = {-0x1.354518dd397f4p-244, 0x1.5529abccfeda4p-3, 0x1.349b5eaa15439p-3, 0x1.ca5083167dbd3p-6, -0x1.6d5a95d0a40eep-5, -0x1.5a316520b7fbap-5, -0x1.38a9832787e9ap-6, -0x1.62d4c6d49d5d7p-8, -0x1.11c85b1e9265fp-10, -0x1.298f8d45f2e29p-13, -0x1.d06f58607674cp-17, -0x1.07600ca6e4ccdp-20, -0x1.b598cb479cc4p-25, -0x1.0bc6ecfb0df41p-29, -0x1.e4cb4b06ef3fap-35, -0x1.459c81aaaebcap-40};
__constant double erf16_5[16] = {0x1.ce2f21a04180fp-4, 0x1.7488b8a7f2b9ep-5, -0x1.b42a1890cd0f2p-5, -0x1.f65d15f1d0d5ep-5, -0x1.e723726b81ea9p-7, 0x1.779b1e5705d2bp-7, 0x1.5d3b17bbe0609p-7, 0x1.146c4b3e2863ep-8, 0x1.0a7b5546b5f65p-10, 0x1.57757788606b3p-13, 0x1.3436bc9fbf94p-16, 0x1.89ca7745d87d4p-20, 0x1.6b1baf4592a75p-24, 0x1.e7ba57687f8d8p-29, 0x1.e044b3f1b62aep-34, 0x1.5c5ee411022e7p-39};
__constant double erf16_6[16] = {0x1.dbd653fa192dbp-237, -0x1.9a7945c802b52p-5, -0x1.b847796d33c4ep-6, 0x1.fd1c6c0b88e07p-7, 0x1.3ca3d73070e89p-6, 0x1.0d099c7a46135p-8, -0x1.7cae0d4dd3a24p-9, -0x1.267f3bc2587f3p-9, -0x1.82f235abfa9b8p-11, -0x1.330aab7ae1515p-13, -0x1.4357b561856d6p-16, -0x1.d73aa4e131eebp-20, -0x1.e650e29709c37p-24, -0x1.68934559003f3p-28, -0x1.83ea454eb2a15p-33, -0x1.30e3d0508fbp-38};
__constant double erf16_7[16] = {-0x1.b82ce30e20e15p-6, -0x1.65c10b8aa189cp-8, 0x1.2e0afb0999808p-6, 0x1.3acc78469e94fp-7, -0x1.36d73a6286a77p-8, -0x1.42fcbaab30319p-8, -0x1.5f8313aee6e29p-11, 0x1.64f891b37747ap-11, 0x1.998b47c33461ap-12, 0x1.ac9997db6c9dcp-14, 0x1.110de4a05c01cp-16, 0x1.cd9e0d99c81dap-20, 0x1.0d678f73e4798p-23, 0x1.bc2ac2fb32d7ep-28, 0x1.065957371e591p-32, 0x1.c08773f33c4e2p-38};
__constant double erf16_8[16] = {-0x1.0b5215cfe7ab1p-230, 0x1.709aadac79545p-7, 0x1.2db346ce2f8d8p-9, -0x1.8b43bf6030a44p-8, -0x1.35ae5ae89321ap-9, 0x1.76ff59380f192p-10, 0x1.0602e96e0289dp-10, 0x1.229eca53d1619p-15, -0x1.1aa5e8d1d17c6p-13, -0x1.cc157412705e1p-15, -0x1.7566b4f631cdcp-17, -0x1.7710b769bc0c3p-20, -0x1.f5f35db1c594ep-24, -0x1.d010c6c80bc67p-28, -0x1.2ec682aef5d88p-32, -0x1.1ab6cad7c0033p-37};
__constant double erf16_9[16] = {0x1.565bc6570d8bap-8, 0x1.04230bf35218p-13, -0x1.04105999e2d63p-8, -0x1.79b084b4ff174p-12, 0x1.c0380d3ede3e1p-10, 0x1.7bda8a948a5dp-12, -0x1.8352d330714bep-12, -0x1.4006bf9cd0508p-13, 0x1.d2a362d74aad2p-17, 0x1.64c5332cae4fdp-16, 0x1.99f5beb7ffac1p-18, 0x1.fc1a078d53169p-21, 0x1.8d2e7126f31d5p-24, 0x1.a05ea066957abp-28, 0x1.2e38eebe08debp-32, 0x1.35c784f78544ap-37};
__constant double erf16_10[16] = {0x1.ed3bc54afef62p-226, -0x1.07504c66a800dp-9, 0x1.85e878dbeefd3p-13, 0x1.2e4edaa7a318dp-10, -0x1.856ab785cbc97p-14, -0x1.991d255655877p-12, -0x1.815421cd57bcep-17, 0x1.36356577905a3p-14, 0x1.0609000a15f5dp-16, -0x1.34f718e50c317p-18, -0x1.5d7064e007928p-19, -0x1.1dd3525891babp-21, -0x1.0c2dfbde32404p-24, -0x1.43504260187bap-28, -0x1.07486e6b080d2p-32, -0x1.29d34a63ba725p-37};
__constant double erf16_11[16] = {-0x1.c023be419a57dp-11, 0x1.e94b88441b21ap-14, 0x1.4720df08962ddp-11, -0x1.730568d675126p-13, -0x1.0acfbb476bb4dp-12, 0x1.35322f4d70cfp-14, 0x1.1136b053851acp-14, -0x1.5a7204678a1c2p-17, -0x1.6a3391943347ap-17, -0x1.5fa1059d39f9fp-21, 0x1.a04cd1aa658bep-21, 0x1.067709903493fp-22, 0x1.34e95f5e88585p-25, 0x1.b5084fa08abf5p-29, 0x1.93f0cf785ccb1p-33, 0x1.fc33bfc309328p-38};
__constant double erf16_12[16] = {-0x1.3cfd194169452p-222, 0x1.331aeffb57275p-12, -0x1.b2e0bf2c65975p-14, -0x1.264dac302cf98p-13, 0x1.3f26f32f5f27cp-14, 0x1.2f59add63d82dp-15, -0x1.761c0d3580c6ap-16, -0x1.c5e823fb1bc2p-18, 0x1.8fd3122886709p-19, 0x1.209584b2694f9p-20, -0x1.6e3b5fa66b7b7p-24, -0x1.77a91f633b886p-24, -0x1.31334c9ea6967p-26, -0x1.07c678f0dcfa3p-29, -0x1.1bda9f3979953p-33, -0x1.9522bd9e1e93dp-38};
__constant double erf16_13[16] = {0x1.f289c8b31d454p-14, -0x1.141c7ebb9abaep-15, -0x1.3a4838f51364dp-14, 0x1.9783078cf417cp-15, 0x1.2e561a91ee28cp-16, -0x1.587fa67f46e68p-16, -0x1.7fb2bcc8383bp-20, 0x1.14d5ea0cceadbp-18, 0x1.3162c54d1b7p-23, -0x1.ec8b66aace883p-22, -0x1.fa5fbc6d08b22p-25, 0x1.6437263909bbfp-26, 0x1.e82308932e69cp-28, 0x1.0b490c73f444bp-30, 0x1.51a24949a524bp-34, 0x1.10e2fc67b87e2p-38};
#define ERF16(i) erf16_0[i], erf16_1[i], erf16_2[i], erf16_3[i], erf16_4[i], erf16_5[i], erf16_6[i], erf16_7[i], erf16_8[i], erf16_9[i], erf16_10[i], erf16_11[i], erf16_12[i], erf16_13[i]
// Of double, intervals of 2: 2^-55. For AVX2.
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
// Of float, intervals of 1/4: 2^-28. For AVX-512.
__constant float erff16_0[16] = {0x0p+0f, 0x1.1af54ep-2f, 0x1.0a7ef6p-1f, 0x1.6c1c98p-1f, 0x1.af767ap-1f, 0x1.d8865ep-1f, 0x1.eea556p-1f, 0x1.f92d08p-1f, 0x1.fd9ae2p-1f, 0x1.ff4048p-1f, 0x1.ffcaa8p-1f, 0x1.fff2dp-1f, 0x1.fffd1ap-1f, 0x1.ffff7p-1f, 0x1.ffffe8p-1f, 0x1.fffffcp-1f};
__constant float erff16_1[16] = {0x1.20dd74p+0f, 0x1.0f5d16p+0f, 0x1.c1efcap-1f, 0x1.492e42p-1f, 0x1.a911fp-2f, 0x1.e4653p-3f, 0x1.e72372p-4f, 0x1.b0553p-5f, 0x1.529b9ep-6f, 0x1.d4143ap-8f, 0x1.1d8318p-9f, 0x1.3360dp-11f, 0x1.2408fp-13f, 0x1.e9b6p-16f, 0x1.6a599p-18f, 0x1.d93764p-21f};
__constant float erff16_2[16] = {-0x0p+0f, -0x1.0f5d16p-2f, -0x1.c1efcap-2f, -0x1.edc564p-2f, -0x1.a911fp-2f, -0x1.2ebf3ep-2f, -0x1.6d5a96p-3f, -0x1.7a4a8ap-4f, -0x1.529b9ep-5f, -0x1.074b6p-6f, -0x1.64e3dcp-8f, -0x1.a6a51ap-10f, -0x1.b60d6p-12f, -0x1.8de3dp-14f, -0x1.3d0e48p-16f, -0x1.bba3b8p-19f};
__constant float erff16_3[16] = {-0x1.81265p-2f, -0x1.3c96bp-2f, -0x1.2bf594p-3f, 0x1.b6ddc6p-6f, 0x1.1b6034p-3f, 0x1.571cbep-3f, 0x1.1c2a5ap-3f, 0x1.7149a2p-4f, 0x1.8b0bdcp-5f, 0x1.63efc6p-6f, 0x1.119d02p-7f, 0x1.69cc4ep-9f, 0x1.9db016p-11f, 0x1.9a97f6p-13f, 0x1.62bba6p-15f, 0x1.0b571cp-17f};
__constant float erff16_4[16] = {0x0p+0f, 0x1.040dd8p-3f, 0x1.76f1c6p-3f, 0x1.349b34p-3f, 0x1.1b61fap-4f, -0x1.939c9p-8f, -0x1.6d59e8p-5f, -0x1.8a0ddap-5f, -0x1.1a2ccep-5f, -0x1.38aa16p-6f, -0x1.1a8a06p-7f, -0x1.ab0bcp-9f, -0x1.11c71ep-10f, -0x1.2c7a5cp-12f, -0x1.1c026p-14f, -0x1.d06224p-17f};
__constant float erff16_5[16] = {0x1.cb9cfcp-4f, 0x1.465996p-4f, 0x1.e82d9ep-8f, -0x1.b0a336p-5f, -0x1.19ed98p-4f, -0x1.81cecap-5f, -0x1.eac242p-7f, 0x1.a8d9a6p-8f, 0x1.aa4ea2p-7f, 0x1.5cb5fap-7f, 0x1.91bbacp-8f, 0x1.6b30c4p-9f, 0x1.0ce226p-10f, 0x1.4d3adep-12f, 0x1.5e2b3cp-14f, 0x1.3aa83ap-16f};
__constant float erff16_6[16] = {-0x0p+0f, -0x1.4a3014p-5f, -0x1.9804ap-5f, -0x1.b764d6p-6f, 0x1.26f752p-8f, 0x1.5ad12cp-6f, 0x1.3bbb6p-6f, 0x1.264182p-7f, 0x1.04491ap-11f, -0x1.799c06p-9f, -0x1.6dff9ep-9f, -0x1.b2ffdep-10f, -0x1.849966p-11f, -0x1.16567p-12f, -0x1.4975a2p-14f, -0x1.47bccp-16f};
#define ERFF16(i) erff16_0[i], erff16_1[i], erff16_2[i], erff16_3[i], erff16_4[i], erff16_5[i], erff16_6[i]
// Of float, intervals of 1/2: 2^-29. For AVX2.
__constant float erff8_0[8] = {0x0p+0f, 0x1.0a7ef6p-1f, 0x1.af767ap-1f, 0x1.eea556p-1f, 0x1.fd9ae2p-1f, 0x1.ffcaa8p-1f, 0x1.fffd1ap-1f, 0x1.ffffe8p-1f};
__constant float erff8_1[8] = {0x1.20dd76p+0f, 0x1.c1efcap-1f, 0x1.a911fp-2f, 0x1.e72372p-4f, 0x1.529b9ep-6f, 0x1.1d8318p-9f, 0x1.2408eap-13f, 0x1.6a5972p-18f};
__constant float erff8_2[8] = {-0x0p+0f, -0x1.c1efb8p-2f, -0x1.a911f8p-2f, -0x1.6d5a9ep-3f, -0x1.529b88p-5f, -0x1.64e3bep-8f, -0x1.b60e52p-12f, -0x1.3d1242p-16f};
__constant float erff8_3[8] = {-0x1.81273ep-2f, -0x1.2bf53ap-3f, 0x1.1b6144p-3f, 0x1.1c2a08p-3f, 0x1.8b0ae4p-5f, 0x1.119d92p-7f, 0x1.9db756p-11f, 0x1.62cdccp-15f};
__constant float erff8_4[8] = {0x0p+0f, 0x1.76e0c4p-3f, 0x1.1b71fap-4f, -0x1.6d4994p-5f, -0x1.1a3792p-5f, -0x1.1a916ep-7f, -0x1.11a9ccp-10f, -0x1.1b87f2p-14f};
__constant float erff8_5[8] = {0x1.ce1cb6p-4f, 0x1.e0683p-8f, -0x1.1b5a9p-4f, -0x1.e753cp-7f, 0x1.ace864p-7f, 0x1.90f666p-8f, 0x1.0a7864p-10f, 0x1.58333ep-14f};
__constant float erff8_6[8] = {-0x0p+0f, -0x1.910bfep-5f, 0x1.0cb3eap-8f, 0x1.38649ap-6f, 0x1.4addbp-11f, -0x1.6afa92p-9f, -0x1.8a9afcp-11f, -0x1.55f7c8p-14f};
__constant float erff8_7[8] = {-0x1.aeee4p-6f, 0x1.52f8dcp-8f, 0x1.e9db34p-7f, -0x1.2ab962p-8f, -0x1.bb7b32p-9f, 0x1.0e0c5ep-11f, 0x1.9b0aecp-12f, 0x1.f64164p-15f};
#define ERFF8(i) erff8_0[i], erff8_1[i], erff8_2[i], erff8_3[i], erff8_4[i], erff8_5[i], erff8_6[i], erff8_7[i]
